import numpy as np

def kernels() -> list[str]: ...
def ceiling(kernel: str, steps: int, /) -> float: ...
def search(
    symbols: np.ndarray,
    start: np.ndarray,
    alphabet: int,
    k: int,
    bounds: np.ndarray,
    kernel: str,
    /,
) -> int: ...
def matrix(
    symbols: np.ndarray,
    start: np.ndarray,
    alphabet: int,
    distances: np.ndarray,
    kernel: str,
    /,
) -> int: ...
