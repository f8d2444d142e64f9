"""The baseline's programs: the same orders by the same guidelines, as calls from the first to the last."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from thinkaloud.guidelines.order_form import Want, read_order, work_out
from thinkaloud.methods.code_as_policies.guidelines_form import render_told
from thinkaloud.methods.itp.planner_prompt import DECLINED, NOT_AVAILABLE
from thinkaloud.plan.programs.grammar import PROGRAM_END
from training.demonstrators.itp.asking import Customer, Worker, said
from training.demonstrators.itp.counter_plans import Stand, draw_stand
from training.demonstrators.itp.doing import Bar, Robot, call, draw_bar, signature, slug
from training.demonstrators.itp.drawing import Rng, between, chance
from training.demonstrators.itp.machine_plans import Hall, draw_hall
from training.demonstrators.itp.machining import Operator, draw_operator
from training.demonstrators.itp.planning import Place
from training.samples import Sample

_LONGEST = 5600
"""Characters of a sample; what is longer is left out."""
Calls = Callable[[str], Sequence[str]]


def programs(rng: Rng) -> Iterator[Sample]:
    """A request by some guidelines, perhaps changed in the middle of it, as programs."""
    if chance(rng, 0.7):
        stand = draw_stand(rng)
        if stand.take_back:
            return
        bar = with_deeds(draw_bar(rng, stand.shop.guidelines.available, stand.shop.vessel, stand.words), stand)
        yield from _written(
            rng, stand, bar.robot, Customer(rng, stand.shop), lambda line: counter_calls(stand, bar, line)
        )
    else:
        hall = draw_hall(rng)
        if hall.extra[0] or hall.special[0] or hall.finally_:
            return
        operator = draw_operator(rng, hall.works, hall.words)
        worker = Worker(rng, hall.works)
        yield from _written(rng, hall, operator.robot, worker, lambda line: machine_calls(hall, operator, line))


def _written(rng: Rng, place: Stand | Hall, robot: Robot, person: Customer | Worker, calls: Calls) -> Iterator[Sample]:
    plain = place.shop.guidelines if isinstance(place, Stand) else place.works.guidelines
    names = {kind: tuple(each) for kind, each in robot.names.items()}
    told, asked = render_told(place.guidelines.text, robot.functions, names), said(rng, person.first())
    orders = read_order(asked.order, plain)
    default = place.default if isinstance(place, Hall) else ()
    wants = work_out(orders, plain, (), (), default)
    if any(not want.material for want in wants):
        return
    code, lines = _program(place, wants, [], calls)
    now = f"# scene: {robot.scene}\n# request: {asked.request}\n"
    yield from _sample(told + now, code)
    if not lines or len(wants) != 1 or not chance(rng, 0.6):
        return
    done = lines[: between(rng, 0, place.open_until(lines))]
    change = said(rng, person.change(asked.order))
    wanted = work_out(read_order(change.order, plain), plain, wants, (), default)
    if not wanted or not wanted[0].material or (isinstance(place, Hall) and not place.can_change(wanted, done)):
        return
    so_far = "; ".join(each for line in done for each in calls(line))
    before = f"# request: {asked.request}\n{code}\n" + (f"# done so far: {so_far}\n" if done else "")
    again, _ = _program(place, wanted, done, calls)
    scene = ". ".join([robot.scene, *place.scene(done)])
    yield from _sample(f"{told}{before}# scene: {scene}\n# request: {change.request}\n", again)


def _sample(prompt: str, code: str) -> Iterator[Sample]:
    if len(prompt) + len(code) <= _LONGEST:
        yield Sample("itp.code", ((prompt, f"{code}{PROGRAM_END}"),))


def _program(place: Place, wants: Sequence[Want], done: Sequence[str], calls: Calls) -> tuple[str, list[str]]:
    """The calls for what is left; or what is said instead."""
    if not wants:
        return 'say("That is none of what can be had here.")', []
    words, lines = place.answer("", wants, done, len(done))
    for ending in (NOT_AVAILABLE, DECLINED):
        if f"\n{ending}: " in words:
            why = words.split(f"\n{ending}: ")[1].strip()
            return f'say("{why} is not available.")' if ending == NOT_AVAILABLE else f'say("{why}.")', []
    return "\n".join(each for line in lines for each in calls(line)), lines


def with_deeds(bar: Bar, stand: Stand) -> Bar:
    """The robot can do all that the guidelines speak of."""
    for line in _deeds(stand):
        name, known = slug(_deed(line)), {function.name for function in bar.robot.functions}
        if name not in known:
            bar.robot.functions.append(signature(name, f"{_deed(line).capitalize()} the {bar.words['v']}."))
    return bar


def _deeds(stand: Stand) -> list[str]:
    found = [*stand.deeds, stand.special[1], stand.always, *stand.after.values()]
    return [line for line in found if line]


def _deed(line: str) -> str:
    """What is done, without what it is done to."""
    return line.split(" the ")[0]


def counter_calls(stand: Stand, bar: Bar, line: str) -> list[str]:
    """A step at a counter as calls."""
    carried = {stand.get: ("stack", "work"), stand.finish: ("work", "done"), stand.discard: ("work", "bin")}
    names = {said: name for name, said in stand.adding.items()}
    if line in carried:
        return bar.carry(*carried[line])
    if line in names:
        return [bar.add(names[line])]
    deed = slug(_deed(line))
    function = next(each for each in bar.robot.functions if each.name == deed)
    return [call(deed, *([bar.words["work"]] if function.parameters else []))]


def machine_calls(hall: Hall, operator: Operator, line: str) -> list[str]:
    """A step at a machine as calls."""
    deed, given = machine_deed(hall, line)
    return [operator.calls(deed, **given)]


def machine_deed(hall: Hall, line: str) -> tuple[str, dict[str, str]]:
    """What a step at a machine is, and with what it is done."""
    given = {"kind": "", "place": "", "additive": ""}
    for kind in hall.works.kinds:
        if hall.key(line) == hall.says["grasp"].format(n="", k=kind):
            return "grasp", given | {"kind": kind}
        if "prepare" not in hall.without and line == hall.says["prepare"].format(k=kind):
            return "prepare", given
        if line == hall.says["put"].format(k=kind, p=hall.homes[kind]):
            return "put", given | {"kind": kind, "place": hall.homes[kind]}
    for additive in hall.works.additives:
        if line == hall.says["additive"].format(x=additive):
            return "additive", given | {"additive": additive}
    plain = [deed for deed in ("open", "pull", "close", "start", "wait") if hall.says[deed] == line]
    return (plain[0] if plain else "return" if hall.returns(line) else "check"), given
