"""The distance kernel: one extension for any Python from 3.11 on (the stable ABI).

Without a compiler it is left out, and the package works on rapidfuzz. All else is said in
pyproject.toml.
"""

from pathlib import Path

from setuptools import Extension, setup

NATIVE = Path("src/wellworn/distance/native")

setup(
    ext_modules=[
        Extension(
            "wellworn.distance._native",
            sources=sorted(map(str, NATIVE.glob("*.cpp"))),
            depends=sorted(map(str, [*NATIVE.glob("*.hpp"), *NATIVE.glob("*.inc")])),
            extra_compile_args=["-std=c++17", "-O3", "-fvisibility=hidden", "-Wno-psabi"],
            py_limited_api=True,
            optional=True,
        )
    ],
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
