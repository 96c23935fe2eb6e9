"""Going on with a run: is it still the same model, asked in the same way?

A server's name for a model says nothing of its weights: base and tuned checkpoints are often
served as one name, one after the other. So the address is remembered with the generation
parameters, and what the server refused; completions of another are never added unasked.
"""

from wellworn.backends import Backend
from wellworn.errors import BadInput
from wellworn.records import Generation
from wellworn.store import Store


def check_address(
    store: Store, backend: Backend, generation: Generation, *, same_model: bool
) -> None:
    """Remember where the model is asked.

    Raises:
        BadInput: The run has completions of these parameters from another address, and it
            is not said to serve the same model.
    """
    known = store.meta(f"address {generation.id}")
    if known is not None and known != backend.address and not same_model:
        raise BadInput(
            f"{store.folder}: the completions of {generation.model} came from {known}; "
            f"now it is asked at {backend.address}.\n"
            f"If the same model is served there, add --same-model; if not, give another "
            f"folder with -o."
        )
    store.set_meta(f"address {generation.id}", backend.address)


def check_left_out(store: Store, backend: Backend, generation: Generation) -> None:
    """Remember which sampling fields the server refuses.

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
