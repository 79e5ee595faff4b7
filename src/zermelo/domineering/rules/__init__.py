"""Who wins on boards of any size, by rules: `shipped().decide(Size(3, 1000))`, and why."""

from __future__ import annotations

from zermelo.domineering.rules.derive import ContradictionError
from zermelo.domineering.rules.knowledge import Knowledge, shipped
from zermelo.domineering.rules.known import Known
from zermelo.domineering.rules.sizes import Size

__all__ = ["ContradictionError", "Knowledge", "Known", "Size", "shipped"]
