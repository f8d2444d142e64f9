"""What a question is about, by its words. Any planner may ask, so nothing here knows how one of ours would."""

from __future__ import annotations

import re
from collections.abc import Iterable

from thinkaloud_bench.multitalk.episodes import Topic

_TROUBLE = re.compile(
    r"""
      \b(?:can(?:no|'|’|\ no)t|could(?:n't|n’t|\ not)|unable|impossible|infeasible|unreachable|inaccessible|invalid)\b
        (?!\s+(?:be\s+(?:sure|certain)|tell|decide|determine|know|infer|choose|work\s+out|say|guess|identify\s+which))
    | (?:\bnot|n't|n’t)\ (?:\w+\ ){0,3}?
        (?:possible|feasible|reachable|graspable|free|available|present|there|here|visible|allowed|valid|listed|found
        |seen|exist|reach|fit|work|in\ (?:the\ )?(?:scene|reach|view|sight|environment|list)|on\ (?:the\ )?table
        |within|a\ \w+(?:\ \w+)?\ (?:here|on\ the\ table))\b
    | \b(?:is|are|lies?|was|were|being)\ (?:still\ |already\ )?(?:missing|absent|occupied|blocked|taken)\b
    | \b(?:out|outside|beyond|off)\ (?:of\ )?(?:the\ |its\ |my\ )?(?:table|bounds?|reach|limits?|workspace|range|arm)\b
    | \bexceed\w*\b | \b(?:larger|wider|bigger)\ than\b
    | \btoo\ (?:wide|large|big|far|close|near|heavy|tall)\b
    | \b(?:there\ (?:is|are)\ no|i\ (?:can\ )?see\ no|no\ such|have\ no)\b(?!\ (?:order|direction|place|location|hint))
    | \bno\ (?:\w+\ ){1,3}(?:is\ |are\ |was\ |were\ )?(?:here|on\ the\ table|in\ view|found|visible|seen|detected)\b
    | \b(?:i|we)\ (?:do\ not|don't|don’t|did\ not|didn't|can\ only|only)\ (?:see|find|detect)\b
    | \b(?:robot|arm)(?:'s|’s)?\ (?:own\ )?base\b | \bthe\ arm\ itself\b
    | \b(?:contradict\w*|conflict\w*|mutually\ exclusive|simultaneously)\b
    | \bat\ (?:the\ same\ time|once)\b | \b(?:both|two)\ (?:places|points|locations|positions)\b | \bcolli(?:d|s)\w+
    """,
    re.VERBOSE | re.IGNORECASE,
)
_INSTEAD = re.compile(
    r"""
      \binstead\b | \balternative | \bsomething\ else\b | \banything\ else\b | \bwhat\ else\b
    | \bhow\ (?:should|shall|can|do\ you\ want\ me\ to|would\ you\ like\ me\ to|am)\ ?(?:i\ )?(?:to\ )?
        (?:proceed|go\ on|continue|handle|resolve|react)
    | \b(?:change|alter|modify|adjust|revise|rephrase|reconsider|update)\ (?:the|your|this|that)\b
    | \b(?:another|different|new)\ (?:task|request|instruction|goal)
    | \bwhat\ (?:should|shall|do\ you\ want|would\ you\ like|can)\ (?:me|i)\ (?:to\ )?do\b(?!\ with)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_PAIRS = re.compile(r"\b(?:pairs?|interchang\w+|swap\w*|exchang\w+|switch\w*|trad(?:e|ing)|with each other)\b", re.I)
_DIRECTION = re.compile(
    r"\b(?:directions?|ax[ei]s|orientation|oriented|horizontal\w*|vertical\w*|diagonal\w*|x-axis|y-axis|which way"
    r"|lengthwise|crosswise|along (?:the )?(?:x|y|which|what|table))\b",
    re.I,
)
_ORDER = re.compile(
    r"\b(?:(?<!in )order(?! to\b)|in (?:what|which|any|a particular|a specific|a certain|this|that) order(?! to\b)"
    r"|in order(?! to\b)|sequence|sorted?|ordered|ordering|arrangement|left to right|right to left|front to back"
    r"|(?:come|comes|be|go|goes|stand|stands) (?:the )?(?:first|last|next)|which (?:one )?(?:first|last))\b",
    re.I,
)
_WHERE = re.compile(r"\b(?:where|whereabouts|to what (?:point|place)|how (?:far|close|near))\b", re.I)
_PLACE = re.compile(
    r"\b(?:coordinates?|destinations?|(?:target|final|new|exact|desired|specific|which|what|end|goal) "
    r"(?:target |final |new |exact |desired |specific )?"
    r"(?:locations?|places?|positions?|spots?|points?|areas?|sides?|corners?)"
    r"|(?:in|into|on|onto|to|at|inside|upon|next to|near|beside) (?:which|what)"
    r"|drop[- ]?off|hand(?:ed)? (?:it )?over)\b",
    re.I,
)
_LOCATION = re.compile(
    r"\b(?:locations?|places?|positions?|spots?|put|placed?|moved?|set|brought|deliver\w*|go)\b", re.I
)
_INTO = re.compile(
    r"\bwhich\b[^?]*\b(?:put|place|placed|set|go|goes|move|moved|belong|drop)\b[^?]*"
    r"\b(?:in|into|on|onto|inside|to|next to|near)\s*(?:it)?\s*\?",
    re.I,
)
_OBJECT = re.compile(
    r"""
      \b(?:which|what)\ (?:\w+\ ){0,3}?(?:objects?|items?|things?|ones?|food|drinks?|snacks?|kind|type|of)\b
    | \b(?:do|did|would)\ you\ (?:mean|refer\ to|prefer|have\ in\ mind|think\ of)\b
    | \byou(?:\ are|'re|\ were)\ (?:referring|talking|thinking)\b | \breferring\ to\b | \bdid\ you\ have\ in\ mind\b
    | \b(?:what|which)\b[^?]*\b(?:like|want|wish)\b[^?]*\b(?:eat|drink|have|get|hold|use|taste)\b
    | ^which\s*\?$
    | \bwhat\ (?:exactly\ )?(?:would|do|should|shall)\ (?:you|i)
        \ (?:like|want|bring|give|fetch|hand|get|take|pick|grasp)\b
    | \b(?:specify|name|tell\ me|clarify|identify|choose|select)\b[^?.]*\b(?:objects?|items?|things?|which|ones?)\b
    | \bwhich\ (?:should|shall|do|would|is|are|did)\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
_MAY_I = re.compile(
    r"^(?:(?:so|then|and|ok|okay)\W+)*(?:(?:may|might|could|can) (?:i|we)\b(?! (?:ask|know))"
    r"|is it (?:ok|okay|all right|alright|fine)\b|(?:am i|are we) (?:allowed|permitted)\b"
    r"|do i have (?:your )?permission\b)",
    re.I,
)
_OPEN = re.compile(r"\b(?:where|which|what|how|who|when|or)\b", re.I)
_POINT = re.compile(r"\(?\s*(-?\d+(?:\.\d+)?)\s*,\s*(-?\d+(?:\.\d+)?)")
_WHICH = re.compile(r"\b(?:which|what)((?: [a-z]+){1,4})", re.I)
_NO_THING = {
    *("direction", "directions", "axis", "axes", "way", "order", "sequence", "pair", "pairs", "side", "point"),
    *("location", "locations", "place", "places", "position", "positions", "spot", "coordinate", "coordinates"),
}


def topics_of(question: str, names: Iterable[str] = ()) -> tuple[Topic, ...]:
    """What a question asks for; `names` are the things that it may speak of. Empty if it is about nothing known."""
    text = " ".join(question.split())
    found: list[Topic] = []
    if _INSTEAD.search(text):
        found.append("instead")
    pairs = bool(_PAIRS.search(text))
    direction, order = bool(_DIRECTION.search(text)), bool(_ORDER.search(text))
    where = bool(_WHERE.search(text) or _INTO.search(text))
    if not (pairs or direction or order):
        where = where or bool(_PLACE.search(text))
    thing = _asks_for_thing(text, [*names], where=where)
    if pairs and not direction and not order:
        found.append("pairs")
    if direction:
        found.append("direction")
    if order:
        found.append("order")
    if thing and not (pairs or direction or order):
        found.append("object")
    if where:
        found.append("place")
    if not found and _LOCATION.search(text):
        found.append("place")
    return tuple(found)


def asks_leave(question: str) -> bool:
    """Whether it asks for a yes or a no, and nothing else: may the robot do what it has in mind?"""
    text = " ".join(question.split())
    return bool(_MAY_I.search(text)) and not _OPEN.search(text)


def points_in(text: str) -> list[tuple[float, float]]:
    """The points that are spoken of, without their heights."""
    return [(float(x), float(y)) for x, y in _POINT.findall(text)]


def tells_trouble(text: str) -> bool:
    """Whether it says that something cannot be done, or is not there."""
    return bool(_TROUBLE.search(text))


def _asks_for_thing(text: str, names: list[str], *, where: bool) -> bool:
    """Whether it asks which thing: in so many words, by the kind of a thing that is there, or by naming several."""
    if _INTO.search(text):
        return bool(re.search(r"\bwhich\b.*\band\b.*\bwhich\b", text, re.I))
    if _OBJECT.search(text) and not _only_place(text):
        return True
    known = {word for name in names for word in _words(name)}
    for match in _WHICH.finditer(text):
        words = match[1].lower().split()
        if words[0] not in _NO_THING and any(word in known or word.removesuffix("s") in known for word in words):
            return not re.search(rf"\b(?:in|into|on|onto|to|inside|near|at) {re.escape(match[0])}", text, re.I)
    spoken = [name for name in names if re.search(rf"\b{re.escape(name)}\b", text, re.I)]
    return len(spoken) > 1 and not where and bool(re.search(r"\bor\b", text, re.I))


def _only_place(text: str) -> bool:
    """`which` and `what` belong to a place, and nothing asks for a thing besides."""
    asked = [match[1].lower().split() for match in _WHICH.finditer(text)]
    return bool(asked) and all(
        any(word in _NO_THING for word in words[:3]) and not any(word in ("object", "item", "thing") for word in words)
        for words in asked
    )


def _words(name: str) -> list[str]:
    return [word for word in name.lower().split() if not word.isdigit()]
