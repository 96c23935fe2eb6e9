"""The ranges of what a configuration says; msgspec checks them as it reads one."""

from typing import Annotated

from msgspec import Meta

Count = Annotated[int, Meta(ge=1)]
Whole = Annotated[int, Meta(ge=0)]
Positive = Annotated[float, Meta(gt=0)]
Share = Annotated[float, Meta(ge=0, le=1)]
