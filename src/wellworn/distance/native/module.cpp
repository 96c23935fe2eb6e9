// The Python module wellworn.distance._native: buffers in, buffers out, on the stable ABI.
//
// Each function releases the GIL while it computes. A few times a second it takes it back to
// see whether a signal has come; an exception of the handler ends the work.

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>

#include <algorithm>
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
constexpr Py_ssize_t kLongest = INT32_MAX / 4;

const Kernel* kernel_named(const char* name) {
  for (auto kernel = wellworn::available_kernels(); *kernel; kernel++) {
    if (!std::strcmp((*kernel)->name, name)) return *kernel;
  }
  PyErr_Format(PyExc_ValueError, "this processor has no kernel '%s'", name);
  return nullptr;
}

// A contiguous buffer of items of one kind that can be written; released at its scope's end.
class Buffer {
 public:
  Buffer() : view_{} {}
  Buffer(const Buffer&) = delete;
  ~Buffer() {
    if (view_.obj) PyBuffer_Release(&view_);
  }

  // Open a buffer of `size` items of a kind, as the module `struct` calls it.
  bool open(PyObject* object, const char* kind, Py_ssize_t size) {
    if (PyObject_GetBuffer(object, &view_, PyBUF_CONTIG | PyBUF_FORMAT)) return false;
    const char* format = view_.format ? view_.format : "B";
    if (std::strcmp(format, kind)) {
      PyErr_Format(PyExc_TypeError, "a buffer of '%s' is needed; this one is of '%s'", kind,
                   format);
      return false;
    }
    if (view_.len == size * view_.itemsize) return true;
    PyErr_Format(PyExc_ValueError, "a buffer of %zd items is needed; this one has %zd", size,
                 view_.len / view_.itemsize);
    return false;
  }

  template <class T>
  T* as() const {
    return static_cast<T*>(view_.buf);
  }

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

// Read a list of strings; their symbols are code points.
bool read(PyObject* strings, Sequences& set) {
  for (Py_ssize_t i = 0; i < PyList_Size(strings); i++) {
    PyObject* string = PyList_GetItem(strings, i);
    if (!PyUnicode_Check(string)) {
      PyErr_Format(PyExc_TypeError, "item %zd is not a string", i);
      return false;
    }
    const Py_ssize_t length = PyUnicode_GetLength(string);
    if (length > kLongest || i >= kLongest) {
      PyErr_Format(PyExc_OverflowError, "item %zd has %zd characters; more than %zd of either "
                   "are too many", i, length, kLongest);
      return false;
    }
    set.start.push_back(set.start.back() + length);
  }
  set.symbols.resize(static_cast<size_t>(set.start.back()));
  for (int i = 0; i < set.count(); i++) {
    if (set.length(i) == 0) continue;  // which PyUnicode_AsUCS4 may refuse
    Py_UCS4* symbols = reinterpret_cast<Py_UCS4*>(set.symbols.data() + set.start[i]);
    if (!PyUnicode_AsUCS4(PyList_GetItem(strings, i), symbols, set.length(i), 0)) return false;
  }
  return true;
}

// Read the strings, and call compute(sequences, stopped) without the GIL. Return its result,
// or null with an exception set.
template <class Compute>
PyObject* with_sequences(PyObject* strings, Compute compute) {
  double found = 0;
  try {
    Sequences set;
    if (!read(strings, set)) return nullptr;
    Released released;
    set.renumber();
    found = static_cast<double>(compute(set, [&] { return released.stopped(); }));
  } catch (const std::exception&) {  // bad_alloc, length_error
    return PyErr_NoMemory();
  }
  return PyErr_Occurred() ? nullptr : PyFloat_FromDouble(found);
}

PyObject* search(PyObject*, PyObject* arguments) {
  PyObject *strings, *bounds_object;
  int k;
  const char* name;
  if (!PyArg_ParseTuple(arguments, "O!iOs", &PyList_Type, &strings, &k, &bounds_object, &name)) {
    return nullptr;
  }
  Buffer buffer;
  const Kernel* kernel = kernel_named(name);
  if (!kernel || !buffer.open(bounds_object, "d", PyList_Size(strings))) return nullptr;
  double* bounds = buffer.as<double>();
  const Py_ssize_t ranked = std::count_if(bounds, bounds + PyList_Size(strings),
                                          [](double bound) { return bound > 0; });
  if (k < 1 || k > ranked) {
    PyErr_Format(PyExc_ValueError, "k is %d, of %zd bounds above 0", k, ranked);
    return nullptr;
  }
  return with_sequences(strings, [&](const Sequences& set, const wellworn::Stopped& stopped) {
    return wellworn::search(set, k, *kernel, stopped, bounds);
  });
}

PyObject* matrix(PyObject*, PyObject* arguments) {
  PyObject *strings, *distances;
  const char* name;
  if (!PyArg_ParseTuple(arguments, "O!Os", &PyList_Type, &strings, &distances, &name)) {
    return nullptr;
  }
  Buffer buffer;
  const Kernel* kernel = kernel_named(name);
  const Py_ssize_t count = PyList_Size(strings);
  if (!kernel || !buffer.open(distances, "i", count * count)) return nullptr;
  return with_sequences(strings, [&](const Sequences& set, const wellworn::Stopped& stopped) {
    return wellworn::matrix(set, *kernel, stopped, buffer.as<int32_t>());
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

PyObject* speed(PyObject*, PyObject* arguments) {
  PyObject* strings;
  const char* name;
  if (!PyArg_ParseTuple(arguments, "O!s", &PyList_Type, &strings, &name)) return nullptr;
  const Kernel* kernel = kernel_named(name);
  if (!kernel) return nullptr;
  if (PyList_Size(strings) < 1) {
    PyErr_SetString(PyExc_ValueError, "at least one string is needed");
    return nullptr;
  }
  return with_sequences(strings, [&](const Sequences& set, const wellworn::Stopped&) {
    return wellworn::speed(set, *kernel);
  });
}

PyObject* ceiling(PyObject*, PyObject* arguments) {
  const char* name;
  if (!PyArg_ParseTuple(arguments, "s", &name)) return nullptr;
  const Kernel* kernel = kernel_named(name);
  return kernel ? PyFloat_FromDouble(wellworn::ceiling(*kernel)) : nullptr;
}

PyMethodDef methods[] = {
    {"search", search, METH_VARARGS,
     "search(strings, k, bounds, kernel) -> cells\n\n"
     "Lower float64 bounds so that the k smallest of those above 0 are exact."},
    {"matrix", matrix, METH_VARARGS,
     "matrix(strings, distances, kernel) -> cells\n\n"
     "Write all distances into int32[m * m]."},
    {"kernels", kernels, METH_NOARGS,
     "kernels() -> names of the kernels that this processor runs, best first."},
    {"speed", speed, METH_VARARGS,
     "speed(strings, kernel) -> cells a second without a band, of the first against the last."},
    {"ceiling", ceiling, METH_VARARGS,
     "ceiling(kernel) -> cells a second that its arithmetic alone reaches."},
    {nullptr, nullptr, 0, nullptr},
};

PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_native", "Edit distances in vector registers.", 0, methods,
    nullptr, nullptr, nullptr, nullptr};

}  // namespace

PyMODINIT_FUNC PyInit__native() { return PyModule_Create(&definition); }
