"""Requests that are measured with, and that nothing is learnt from: the papers' own, and VirtualHome's titles."""

from __future__ import annotations

import re

_THE = r"(?:the |a |an |some |my |your |our |that |this )?"
REQUESTS = (
    rf"\beat(?:ing)? (?:up )?{_THE}chips\b",
    rf"\bsalmon in(?:to|side)? {_THE}(?:fridge|refrigerator)",
    rf"\bwatch(?:ing)? {_THE}(?:tv|television)\b",
    rf"\bwash(?:ing)? (?:up )?{_THE}plate\b",
    r"\bcoffee ?pot and (?:the )?cup ?cake",
    rf"\bmicrowave {_THE}salmon",
    rf"\b(?:turn|switch)(?:ing)? (?:off|on|out) {_THE}lights?\b",
    rf"\b(?:turn|switch)(?:ing)? {_THE}lights? (?:off|on|out)\b",
    rf"\b(?:brush|wash)(?:ing)? {_THE}teeth",
    rf"\b(?:throw|toss|chuck)(?:ing)? (?:away |out )?{_THE}apples?\b",
    rf"\bmak(?:e|ing) {_THE}(?:toast|coffee)\b",
    rf"\bwash(?:ing)? {_THE}(?:clothes|hands|dishes)\b",
    rf"\bwrit(?:e|ing) {_THE}e-?mails?\b",
    rf"\bput {_THE}groceries in\b",
    rf"\bgo(?:ing)? to (?:{_THE}toilet|sleep)\b",
    rf"\bchange {_THE}(?:tv|channel)",
    rf"\bpet(?:ting)? {_THE}cat\b",
    rf"\bbrows(?:e|ing) {_THE}internet",
    rf"\blisten(?:ing)? to {_THE}music\b",
    rf"\bread(?:ing)? {_THE}book\b",
    rf"\bcook(?:ing)? {_THE}food\b",
    rf"\brelax(?:ing)? (?:on|in) {_THE}sofa\b",
    rf"\bpick(?:ing)? up {_THE}phone\b",
    rf"\bset(?:ting)? up {_THE}table\b",
    rf"\bget(?:ting)? {_THE}water\b",
    rf"\btak(?:e|ing) {_THE}shower\b",
    # The table of blocks and bowls.
    r"\btwo blocks in (?:the|one|a|a cool\S*(?: colou?r(?:ed)?)?) bowl",
    r"\beach block in(?:to)? each bowl",
    r"\bwarm[- ]?(?:colou?r(?:ed)?)? blocks in(?:to)? the green bowl",
    r"\bonly one bowl (?:is )?empty",
    r"\bplace a box around a cylinder",
)
HELD_OUT = (rf"Task: (?:(?:work|drink)\.(?:\n| )|[^\n]*?(?:{'|'.join(REQUESTS)}))",)
"""Only what is asked for: in a plan or in a home these words may well stand."""
_ALL = re.compile("|".join(REQUESTS), re.IGNORECASE)


def is_held_out(request: str) -> bool:
    """Whether a request is one of those, in whatever words stand round it."""
    return _ALL.search(request) is not None or request.strip(" .").lower() in ("work", "drink")
