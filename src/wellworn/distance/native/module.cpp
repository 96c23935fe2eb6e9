// The Python module wellworn.distance._native: buffers in, buffers out, on the stable ABI.
//
// Each function releases the GIL while it computes. A few times a second it takes it back to
// see whether a signal has come; an exception of the handler ends the work.

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>

#include <chrono>
#include <cstring>
#include <exception>
#include <new>

#include "kernel.hpp"
#include "search.hpp"

namespace {

using wellworn::Kernel;
using wellworn::Sequences;

constexpr std::chrono::milliseconds kPatience{100};

const Kernel* kernel_named(const char* name) {
  for (auto kernel = wellworn::available_kernels(); *kernel; kernel++) {
    if (!std::strcmp((*kernel)->name, name)) return *kernel;
  }
  PyErr_Format(PyExc_ValueError, "this processor has no kernel '%s'", name);
  return nullptr;
}

// A contiguous buffer of items of a known size, released at the end of its scope.
class Buffer {
 public:
  Buffer() : view_{} {}
  Buffer(const Buffer&) = delete;
  ~Buffer() {
    if (view_.obj) PyBuffer_Release(&view_);
  }

  bool open(PyObject* object, Py_ssize_t item, bool writable) {
    if (PyObject_GetBuffer(object, &view_, writable ? PyBUF_CONTIG : PyBUF_CONTIG_RO)) return false;
    if (view_.itemsize == item) return true;
    PyErr_Format(PyExc_TypeError, "a buffer of %zd-byte items is needed; this one has %zd bytes",
                 item, view_.itemsize);
    return false;
  }

  template <class T>
  T* as() const {
    return static_cast<T*>(view_.buf);
  }
  Py_ssize_t size() const { return view_.len / view_.itemsize; }

 private:
  Py_buffer view_;
};

// Runs work without the GIL, and looks for signals now and then.
class Released {
 public:
  Released() : state_(PyEval_SaveThread()), looked_(std::chrono::steady_clock::now()) {}
  ~Released() { PyEval_RestoreThread(state_); }

  bool stopped() {
    const auto now = std::chrono::steady_clock::now();
    if (now - looked_ < kPatience) return interrupted_;
    PyEval_RestoreThread(state_);
    interrupted_ = interrupted_ || PyErr_CheckSignals() != 0;
    state_ = PyEval_SaveThread();
    looked_ = std::chrono::steady_clock::now();
    return interrupted_;
  }

 private:
  PyThreadState* state_;
  std::chrono::steady_clock::time_point looked_;
  bool interrupted_ = false;
};

// Call compute(stopped) without the GIL; return its result, or null with an exception set.
template <class Compute>
PyObject* without_gil(Compute compute) {
  unsigned long long cells = 0;
  bool memory = false;
  {
    Released released;
    try {
      cells = compute([&] { return released.stopped(); });
    } catch (const std::bad_alloc&) {
      memory = true;
    }
  }
  if (PyErr_Occurred()) return nullptr;
  return memory ? PyErr_NoMemory() : PyLong_FromUnsignedLongLong(cells);
}

bool sequences_of(const Buffer& symbols, const Buffer& start, long long alphabet, Sequences& set) {
  const Py_ssize_t count = start.size() - 1;
  const int64_t* offsets = start.as<const int64_t>();
  bool good = count >= 0 && count <= INT32_MAX && alphabet > 0 && alphabet <= INT32_MAX &&
              offsets[0] == 0 && offsets[count] == symbols.size();
  for (Py_ssize_t i = 0; good && i < count; i++) {
    good = offsets[i] <= offsets[i + 1] && offsets[i + 1] - offsets[i] < INT32_MAX / 4;
  }
  const int32_t* all = symbols.as<const int32_t>();
  for (Py_ssize_t x = 0; good && x < symbols.size(); x++) good = all[x] >= 0 && all[x] < alphabet;
  if (!good) {
    PyErr_SetString(PyExc_ValueError, "offsets or symbols are out of range");
    return false;
  }
  set = {all, offsets, static_cast<int>(count), static_cast<int32_t>(alphabet)};
  return true;
}

PyObject* search(PyObject*, PyObject* arguments) {
  PyObject *symbols_object, *start_object, *bounds_object;
  long long alphabet;
  int k;
  const char* name;
  if (!PyArg_ParseTuple(arguments, "OOLiOs", &symbols_object, &start_object, &alphabet, &k,
                        &bounds_object, &name)) {
    return nullptr;
  }
  Buffer symbols, start, bounds;
  Sequences set;
  const Kernel* kernel = kernel_named(name);
  if (!kernel || !symbols.open(symbols_object, 4, false) || !start.open(start_object, 8, false) ||
      !bounds.open(bounds_object, 8, true) || !sequences_of(symbols, start, alphabet, set)) {
    return nullptr;
  }
  int ranked = 0;
  for (Py_ssize_t i = 0; i < bounds.size(); i++) ranked += bounds.as<double>()[i] > 0;
  if (bounds.size() != set.count || k < 1 || k > ranked) {
    PyErr_SetString(PyExc_ValueError, "k or the number of bounds is out of range");
    return nullptr;
  }
  return without_gil([&](const wellworn::Stopped& stopped) {
    return wellworn::search(set, k, *kernel, stopped, bounds.as<double>());
  });
}

PyObject* matrix(PyObject*, PyObject* arguments) {
  PyObject *symbols_object, *start_object, *distances_object;
  long long alphabet;
  const char* name;
  if (!PyArg_ParseTuple(arguments, "OOLOs", &symbols_object, &start_object, &alphabet,
                        &distances_object, &name)) {
    return nullptr;
  }
  Buffer symbols, start, distances;
  Sequences set;
  const Kernel* kernel = kernel_named(name);
  if (!kernel || !symbols.open(symbols_object, 4, false) || !start.open(start_object, 8, false) ||
      !distances.open(distances_object, 4, true) || !sequences_of(symbols, start, alphabet, set)) {
    return nullptr;
  }
  if (distances.size() != static_cast<Py_ssize_t>(set.count) * set.count) {
    PyErr_SetString(PyExc_ValueError, "the matrix has another size");
    return nullptr;
  }
  return without_gil([&](const wellworn::Stopped& stopped) {
    return wellworn::matrix(set, *kernel, stopped, distances.as<int32_t>());
  });
}

PyObject* kernels(PyObject*, PyObject*) {
  PyObject* names = PyList_New(0);
  for (auto kernel = wellworn::available_kernels(); names && *kernel; kernel++) {
    PyObject* name = PyUnicode_FromString((*kernel)->name);
    if (!name || PyList_Append(names, name)) Py_CLEAR(names);
    Py_XDECREF(name);
  }
  return names;
}

PyObject* ceiling(PyObject*, PyObject* arguments) {
  const char* name;
  unsigned long long steps;
  if (!PyArg_ParseTuple(arguments, "sK", &name, &steps)) return nullptr;
  const Kernel* kernel = kernel_named(name);
  return kernel ? PyFloat_FromDouble(kernel->ceiling(steps)) : nullptr;
}

PyMethodDef methods[] = {
    {"search", search, METH_VARARGS,
     "search(symbols, start, alphabet, k, bounds, kernel) -> cells\n\n"
     "Lower float64 bounds so that the k smallest that begin infinite are exact."},
    {"matrix", matrix, METH_VARARGS,
     "matrix(symbols, start, alphabet, distances, kernel) -> cells\n\n"
     "Write all distances into int32[m * m]."},
    {"kernels", kernels, METH_NOARGS,
     "kernels() -> names of the kernels that this processor runs, best first."},
    {"ceiling", ceiling, METH_VARARGS,
     "ceiling(kernel, steps) -> cells a second that its arithmetic alone would reach."},
    {nullptr, nullptr, 0, nullptr},
};

PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_native", "Edit distances in vector registers.", 0, methods,
    nullptr, nullptr, nullptr, nullptr};

}  // namespace

PyMODINIT_FUNC PyInit__native() { return PyModule_Create(&definition); }
