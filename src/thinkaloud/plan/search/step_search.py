"""One search for steps: the actions as they were said, if possible; else in another order, or with steps in between."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace

from thinkaloud.language.name_matching import all_names
from thinkaloud.plan.search import fast_downward as downward
from thinkaloud.plan.search.best_first import MARK, Budget, Search, Trail
from thinkaloud.plan.search.facts import Atom, Literal, Setting
from thinkaloud.plan.search.search_results import Found, Sought
from thinkaloud.plan.search.situations import Act, Situation
from thinkaloud.plan.search.useful_steps import MOST_FREE, Library
from thinkaloud.records import Step

_CAREFUL = 3
"""How often to look for another way if a careful critic would object to a step."""
_FEW = 600
"""If a robot can do no more than this here, everything is tried before a search gives up."""
_HANDFUL = 40
_ASKED, _WIDER, _WIDEST = 1500, 1500, 500
"""How many situations are examined if skills must be asked for objections in each; and for goals that only an
objection's words, or nothing at all, point to."""
_PATIENCE = 200_000
"""With an external planner available, this many steps are weighed before it is used: about a second or two of our own
search. With a few hundred steps that is the usual number of situations; with thousands, a hundred."""
_ALL_FREE = 1000
"""How many ways to fill in what a goal leaves open the external planner tries."""


@dataclass
class StepSearch:
    """Everything that one search is about."""

    setting: Setting
    sought: Sought
    avoid: Collection[Step]
    budget: Budget
    deeds: tuple[Act, ...] = ()
    wishes: tuple[Literal, ...] = ()
    passing: set[Literal] = field(default_factory=set)
    at_hand: Step | None = None
    sought_before: dict[object, Trail] = field(default_factory=dict)
    hopeless: bool = False
    """An action was refused with the same words whatever was done before it."""
    gave_up: bool = False
    """A search ended before it had tried everything."""
    asks_planner: bool = field(default_factory=lambda: downward.is_installed())
    """Whether there is an external planner that has not failed yet."""
    start: Situation = field(init=False)
    library: Library = field(init=False)
    wide: Library = field(init=False)
    """Return the same search for a planner that can handle more."""

    def prepare(self) -> None:
        """Read the actions and goals; SkillError or LookupError for anything that is not here."""
        sought = self.sought
        spoken = {str(v) for step in sought.deeds for v in step.arguments.values()}
        spoken |= {str(v) for wish in sought.wishes for v in wish.arguments.values()}
        self.library, self.wide = (
            Library(
                self.setting, kept=sought.kept, avoid=self.avoid, spoken_of=spoken, most_free=most, rules=sought.rules
            )
            for most in (MOST_FREE, _ALL_FREE)
        )
        self.start = Situation(self.setting)
        for number, step in enumerate(sought.deeds):
            self.at_hand = step
            act = self.library.deed(step)
            self.deeds += (replace(act, step=step, marks=(Literal(Atom(MARK, (number,))),)),)
        self.at_hand = None
        for wish in sought.wishes:
            literal = self.setting.read_wish(wish)
            if literal is None:
                raise LookupError(f"I cannot tell whether this is so: {wish.words}")
            self.wishes += (literal,)
        self.passing = {wish for wish in self.wishes if self._passes_by(wish)}

    def _passes_by(self, wish: Literal) -> bool:
        """Whether an effect of an action only prepares a later one, or is left behind by it: a cup in the
        hand before it is put down, a place on the way to another."""
        made = [i for i, deed in enumerate(self.deeds) if _brings(deed, wish)]
        for later in self.deeds[made[-1] + 1 :] if made and wish.so else ():
            ended = [end for end in later.ends if end.covers(wish.atom)]
            if any(wish == need for need in later.needs) and ended:
                return True
            if any(all(value is None for value in end.values) for end in ended):
                return True
        return False

    @property
    def final(self) -> tuple[Literal, ...]:
        """Return the goals that must hold in the end."""
        return tuple(wish for wish in self.wishes if wish not in self.passing)

    # The strategies, one after another --------------------------------------------------------------------------------

    def find(self) -> Found | None:
        """Return the steps from the first strategy that succeeds."""
        for order in (self.deeds, *(() if self.sought.in_order else (self._sorted(),))):
            if self.passes(order):
                return self._found(order)
        found = self._find_ways()
        for _ in range(_CAREFUL if found is not None else 0):
            unwise = [act for act in found or () if not act.marks and self.start.caution(act)]
            if not unwise:
                break
            self.library.leave_out(unwise)
            self.wide.leave_out(unwise)
            self.sought_before.clear()
            found = self._find_ways() or found
        return None if found is None else self._found(found)

    def _find_ways(self) -> tuple[Act, ...] | None:
        self.deeds = tuple(deed for deed in self.deeds if not self._needless(deed))
        orders = [self.deeds]
        if not self.sought.in_order and (other := self._sorted()) != self.deeds:
            orders.append(other)
        ways = [acts for order in orders if not self.hopeless and (acts := self._way(order)) is not None]
        if ways:
            return min(ways, key=len)
        same = len(self.deeds) == 1 and all(_brings(self.deeds[0], wish) for wish in self.final)
        if self.hopeless or (same and not self.gave_up):  # the action alone was tried
            return None
        if not self.sought.in_order:
            trail = self.seek(self.start, self.deeds, () if same else self.final, self.budget)
            return None if trail.acts is None else self._pruned(trail.acts)
        return (None if same else self._whole_in_order()) or self._one_by_one()

    def _one_by_one(self) -> tuple[Act, ...] | None:
        """Try the actions one after another; None if a step that nobody asked for undoes what an action was for."""
        acts = self.stepwise(self.deeds, retain=False)
        situation, reached = self.start, set[Literal]()
        for act in acts or ():
            situation = situation.after(act)
            if not act.marks and situation.unmet(reached):
                return None
            reached = {
                wish for wish in (*reached, *self.final) if situation.holds(wish) and (wish in reached or act.marks)
            }
        return acts

    def _whole_in_order(self) -> tuple[Act, ...] | None:
        """Try the actions as they were said, each after the one before is done, with all goals in the end."""
        if not self.deeds or apart(self.setting, self.final):
            return None
        waits = ((), *(deed.marks for deed in self.deeds))
        ordered = [replace(deed, needs=(*deed.needs, *wait)) for deed, wait in zip(self.deeds, waits, strict=False)]
        part = self.budget.share(_WIDER)
        trail = self.seek(self.start, ordered, self.final, part)
        self.budget.settle(part)
        if trail.acts is None:
            return None
        said = {id(one): deed for one, deed in zip(ordered, self.deeds, strict=True)}
        acts = tuple(said.get(id(act), act) for act in trail.acts)
        return self._pruned(acts) if self.passes(acts) else None

    def _needless(self, deed: Act) -> bool:
        """Whether all its effects already hold; goals must also hold in the end."""
        done = bool(deed.adds) and not self.start.unmet(Literal(atom) for atom in deed.adds)
        return done and not self.sought.in_order

    def _way(self, order: Sequence[Act]) -> tuple[Act, ...] | None:
        """Try the actions in this order with everything they need, if the goals hold in the end."""
        acts = self.stepwise(order) if order else None
        end = None if acts is None else self.follow(acts)
        return None if acts is None or end is None or end.unmet(self.final) else self._pruned(acts)

    def _found(self, acts: Sequence[Act]) -> Found:
        end = self.follow(acts)
        lost = [] if end is None else end.unmet(self.wishes)
        words = tuple(wish for wish, literal in zip(self.sought.wishes, self.wishes, strict=True) if literal in lost)
        added = tuple(act.step for act in acts if not act.marks)
        return Found(tuple(act.step for act in acts), added, words, self.budget.spent)

    def follow(self, acts: Iterable[Act], start: Situation | None = None) -> Situation | None:
        """Return the situation after some steps; None if one of them cannot be done."""
        situation = start or self.start
        for act in acts:
            if not self.fits(act, situation):
                return None
            situation = situation.after(act)
        return situation

    def fits(self, act: Act, situation: Situation) -> bool:
        """Whether a step can be done as it is."""
        if (
            situation.unmet(need for need in act.needs if need.atom.relation != MARK)
            or situation.objection(act)
            or situation.comes_first(act)
        ):
            return False
        after = situation.after(act)
        return not self.library.touches_kept(act, situation, after) and not self.library.find_new_break(
            situation, after
        )

    def passes(self, acts: Sequence[Act]) -> bool:
        """Whether the steps can be done, include all actions, and reach all goals in the end."""
        if any(act.skill.last for act in acts[:-1]) or not all(any(deed is act for act in acts) for deed in self.deeds):
            return False
        end = self.follow(acts)
        return end is not None and not end.unmet(self.final)

    def _pruned(self, acts: Sequence[Act]) -> tuple[Act, ...]:
        """Remove added steps that nothing depends on."""
        kept = list(acts)
        for act in reversed(acts):
            if not act.marks:
                shorter = [each for each in kept if each is not act]
                if len(shorter) == len(kept) - 1 and self.passes(shorter):
                    kept = shorter
        return tuple(kept)

    # Action by action -------------------------------------------------------------------------------------------------

    def stepwise(self, order: Sequence[Act], *, retain: bool = True) -> tuple[Act, ...] | None:
        """Plan one action after the other, each with what it needs first; keep the effects of earlier ones."""
        situation, found, owed = self.start, list[Act](), list[Literal]()
        for deed in order:
            helped = [act for act in found if not act.marks and act.step.skill == deed.step.skill]
            same = next((act for act in helped if dict(act.step.arguments) == dict(deed.step.arguments)), None)
            if same is not None and not situation.unmet(Literal(atom) for atom in deed.adds):
                found[found.index(same)] = deed
                continue
            kept = [wish for wish in owed if situation.holds(wish)] if retain else []
            trail = self.seek(situation, (deed,), kept, self.budget)
            if trail.acts is None or trail.end is None:
                return None
            found += trail.acts
            situation = trail.end
            owed += [wish for wish in self.final if wish.so and wish.atom in deed.adds]
        return tuple(found)

    def _sorted(self) -> tuple[Act, ...]:
        """Order the actions so that none undoes an effect of another, as close to the spoken order as possible."""
        wished = [[wish for wish in self.final if _brings(deed, wish)] for deed in self.deeds]
        after = [self.start.after(deed) for deed in self.deeds]
        count = range(len(self.deeds))

        def undoes(i: int, j: int) -> bool:
            """Whether the second undoes an effect of the first, or is blocked only after it."""
            deed = self.deeds[j]
            spoilt = after[i].after(deed).unmet(wished[i])
            return bool(spoilt) or (self.fits(deed, self.start) and not self.fits(deed, after[i]))

        undone = {(i, j) for i in count for j in count if i != j and undoes(i, j)}
        left, order = list(count), list[int]()
        while left:
            free = [j for j in left if not any((j, i) in undone for i in left)]  # nothing still to come undoes it
            free = [j for j in free if not self.deeds[j].skill.last] or free or left
            order.append(free[0])
            left.remove(free[0])
        return tuple(self.deeds[i] for i in order)

    # One search -------------------------------------------------------------------------------------------------------

    def seek(self, start: Situation, deeds: Sequence[Act], wishes: Sequence[Literal], budget: Budget) -> Trail:
        """Search from a situation to one in which the actions are done and the goals hold; no search is repeated."""
        key = tuple(map(id, deeds)), frozenset(wishes)
        if start is not self.start:
            return self._seek(start, deeds, wishes, budget)
        if key not in self.sought_before:
            self.sought_before[key] = self._seek(start, deeds, wishes, budget)
        return self.sought_before[key]

    def _seek(self, start: Situation, deeds: Sequence[Act], wishes: Sequence[Literal], budget: Budget) -> Trail:
        """The same; try more if less fails."""
        if len(deeds) == 1 and self.fits(deeds[0], start) and not (end := start.after(deeds[0])).unmet(wishes):
            return Trail((deeds[0],), end)
        goals = [*wishes, *(mark for deed in deeds for mark in deed.marks)]
        wanted = [*wishes, *(need for deed in deeds for need in deed.needs if need.atom.relation != MARK)]
        acts = self.library.relevant(wanted, start, deeds=deeds)
        search = Search(self.library, [*acts, *deeds], goals)
        patience = _PATIENCE // max(len(acts), 1) if self.asks_planner else budget.left
        part = budget.share(_ASKED if search.asks else patience)
        trail = search.run(start, part)
        budget.settle(part)
        given_up = trail.acts is None and not trail.hopeless and (not trail.exhausted or self.library.is_cut)
        self.gave_up |= given_up
        if given_up and self.asks_planner:
            trail = self._ask_planner(start, deeds, wanted, goals) or trail
        if trail.acts is not None or trail.forbidden:
            return trail
        things = self._stirred(trail, deeds, start)
        for widest in (False, True) if not trail.hopeless else (False,):
            more = (
                self.library.everything(_FEW)
                if widest
                else self.library.relevant(wanted, start, deeds=deeds, things=things)
            )
            part = budget.share(_WIDEST if widest and len(more) > _HANDFUL else _WIDER)
            if len(more) <= len(acts) or budget.left <= 0:
                continue
            acts = list({id(act): act for act in (*acts, *more)}.values())
            wider = Search(self.library, [*acts, *deeds], goals).run(start, part)
            budget.settle(part)
            self.gave_up |= wider.acts is None and not wider.exhausted
            trail.refused |= {why: act for why, act in wider.refused.items() if why not in trail.refused}
            trail = replace(wider, refused=trail.refused)
            if trail.acts is not None or trail.hopeless:
                break
        self.hopeless |= trail.hopeless and len(deeds) == 1
        return trail

    def _ask_planner(
        self, start: Situation, deeds: Sequence[Act], wanted: Sequence[Literal], goals: Sequence[Literal]
    ) -> Trail | None:
        """The same with the external planner. Its answer is checked against everything the skills say."""
        acts = [*self.wide.relevant(wanted, start, deeds=deeds), *deeds]
        found = downward.solve(acts, goals, start, go_on=self.setting.go_on)
        end = None if found is None else self.follow(found, start)
        self.asks_planner = found is not None
        wishes = [goal for goal in goals if goal.atom.relation != MARK]
        if found is None or end is None or end.unmet(wishes) or not all(deed in found for deed in deeds):
            return None
        return Trail(found, end)

    def _stirred(self, trail: Trail, deeds: Sequence[Act], start: Situation) -> set[str]:
        """Return the things that objections name, and those related to them."""
        if not trail.refused:
            return set()
        said = " ".join(trail.refused).lower()
        named = {thing for thing in all_names(self.setting.scene.vocabulary) if thing.lower() in said}
        about = named.union(*(act.things for act in trail.refused.values()), *(deed.things for deed in deeds))
        for condition in () if start.state is None else start.state.relations:
            values = {str(value) for value in condition.arguments.values()}
            if values & about:
                named |= values
        return named


def apart(setting: Setting, wishes: Sequence[Literal]) -> tuple[int, int] | None:
    """Return two goals that contradict each other by what they say."""
    for (i, one), (j, other) in itertools.combinations(enumerate(wishes), 2):
        same = one.atom == other.atom and one.so is not other.so
        single = one.so and other.so and one != other and setting.is_single(one.atom.relation)
        if same or (single and one.atom.of_any_last == other.atom.of_any_last):
            return i, j
    return None


def _brings(deed: Act, wish: Literal) -> bool:
    return wish.atom in deed.adds if wish.so else any(end.covers(wish.atom) for end in deed.ends)
