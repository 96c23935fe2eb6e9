"""Going on with a run: is it still the same model, asked in the same way?

A server's name for a model says nothing of its weights: base and tuned checkpoints are often
served as one name, one after the other. So the addresses are remembered with the generation
parameters, and what the server refused; completions of another are never added unasked.
"""

from urllib.parse import urlsplit

from wellworn.backends import Backend
from wellworn.errors import BadInput
from wellworn.records import Generation
from wellworn.store import Store

_LOOPBACK = {"localhost", "127.0.0.1", "::1"}


def check_address(
    store: Store, backend: Backend, generation: Generation, *, same_model: bool
) -> None:
    """Go on only where the completions of these parameters came from.

    Raises:
        BadInput: They came from another address, or from a file, and it is not said that the
            same model is served.
    """
    for each in (generation, generation.greedy):
        known, address = addresses(store, each), _plain(backend.address)
        if same_model or not store.has_completions(each) or not address or address in known:
            continue
        came = f"came from {', '.join(known)}" if known else "were imported"
        raise BadInput(
            f"{store.folder}: the completions of {generation.model} {came}; "
            f"now it is asked at {address}.\n"
            f"If the same model is served there, add --same-model; if not, give another "
            f"folder with -o."
        )


def remember(store: Store, backend: Backend, generation: Generation) -> None:
    """Remember where the model answers, and which sampling fields its server refuses.

    Raises:
        BadInput: It refused others when the run began, so that samples would not compare.
    """
    key = f"left out {generation.id}"
    known, now = store.meta(key), backend.left_out
    if known is not None and known != now:
        raise BadInput(
            f"{store.folder}: when the run began, the server refused the fields "
            f"{known or 'none'}; now it refuses {now or 'none'}. Samples of both do not compare.\n"
            f"Give another folder with -o."
        )
    store.set_meta(key, now)
    for each in (generation, generation.greedy) if backend.address else ():
        found = {*addresses(store, each), _plain(backend.address)}
        store.set_meta(f"addresses {each.id}", sorted(found))


def addresses(store: Store, generation: Generation) -> list[str]:
    """Return where the completions of these parameters came from."""
    return store.meta(f"addresses {generation.id}") or []


def left_out(store: Store, generation: Generation) -> list[str] | None:
    """Return the sampling fields that the server refused; None if that is not known."""
    fields: list[str] | None = store.meta(f"left out {generation.id}")
    return fields


def _plain(address: str) -> str:
    """Return an address in which the names of this machine are one."""
    parts = urlsplit(address)
    if parts.hostname not in _LOOPBACK:
        return address
    return f"{parts.scheme}://localhost:{parts.port}{parts.path}"
