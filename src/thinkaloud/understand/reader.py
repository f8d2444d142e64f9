"""The stage: a model writes what a person said as a program, code runs it, and where it is in doubt a person is asked.

An answer to one of our own questions is looked at first (`replies`); what was read is then decided on (`deciding`).
"""

from __future__ import annotations

import re
from collections.abc import Hashable
from dataclasses import replace
from functools import partial

from thinkaloud.errors import ModelError, Unparseable
from thinkaloud.guidelines import Guidelines
from thinkaloud.language.calls import RunsCode
from thinkaloud.models import Model, is_fluent
from thinkaloud.models.contract import find_judge, read_ahead
from thinkaloud.monologue import Monologue
from thinkaloud.records import Look, Meaning, Observation, Refusal, Request
from thinkaloud.understand.checking.certainty import (
    Doubt,
    Written,
    ask_which,
    gives_opinions,
    measure_doubt,
    with_opinion,
    write_program,
)
from thinkaloud.understand.checking.excepting import with_exceptions
from thinkaloud.understand.checking.forbidding import excused, says_needless, with_forbidden
from thinkaloud.understand.checking.opposites import with_opposites, with_sense
from thinkaloud.understand.checking.said import Said
from thinkaloud.understand.conversation import (
    MOST_TURNS,
    Heard,
    all_heard,
    came_to_nothing,
    chosen_in_vain,
    is_under_way,
    kept_of,
    notes_of,
    orders_of,
    past_of,
    past_works,
    story_of,
    turns_of,
    undo_count,
    undone_of,
    without_open,
    work_to_undo,
)
from thinkaloud.understand.deciding import Decider
from thinkaloud.understand.hints import take_hint, without_things
from thinkaloud.understand.in_parts import read_in_parts
from thinkaloud.understand.judge import Judge
from thinkaloud.understand.language import KEEP, UNCLEAR, UNDO, spelled, with_said_names
from thinkaloud.understand.lexicon import Lexicon, lexicon_of
from thinkaloud.understand.looking import is_settled_by_place, look_first
from thinkaloud.understand.meaning.circumstances import Circumstances
from thinkaloud.understand.meaning.come_to_light import find_unread, is_more, may_list_more, with_siblings
from thinkaloud.understand.meaning.common_sense import find_unsettled, settle
from thinkaloud.understand.meaning.completing import with_lists
from thinkaloud.understand.meaning.naming import tells_missing
from thinkaloud.understand.meaning.placing import places_of, with_fitting_places
from thinkaloud.understand.meaning.referents import find_unknown, mentioned_in
from thinkaloud.understand.meaning.referring import with_referents
from thinkaloud.understand.meaning.running import run_program
from thinkaloud.understand.orders.amending import with_orders
from thinkaloud.understand.orders.ordering import can_do, find_homeless
from thinkaloud.understand.orders.ruling import RuleReader
from thinkaloud.understand.prompting.grammar import program_grammar
from thinkaloud.understand.prompting.guided import tell_guidelines
from thinkaloud.understand.prompting.prompt import PastTurn, render_beginning, render_prompt
from thinkaloud.understand.recalling import find_all_back, recall, with_going_on
from thinkaloud.understand.relevant import find_relevant
from thinkaloud.understand.replies import find_asked, settle_reply
from thinkaloud.understand.rereading import Narrowed, without_told
from thinkaloud.understand.saying import narrowing
from thinkaloud.understand.saying.offering import (
    Asking,
    outcome_of,
    stands_alone,
)
from thinkaloud.understand.the_rest import find_rest
from thinkaloud.worlds.contract import Scanning, World, find_ability

_TRIES = 3
_SAYS_NOTHING = "This says and does nothing; call a function, or unclear() if you do not know what is meant."


class Reader:
    """Reads what a person says with a language model; see the module's description."""

    def __init__(
        self,
        model: Model,
        world: World,
        sandbox: RunsCode,
        asking: Asking | None = None,
        guidelines: Guidelines | None = None,
    ) -> None:
        self._model, self._world, self._sandbox = model, world, sandbox
        self._judge = find_judge(model)
        """Found at once: loading it later would hold up the whole loop."""
        self._asking, self._guidelines = asking or Asking(), guidelines
        self._decider = Decider(model.name, sandbox, self._asking)
        self._sorts: dict[str, tuple[str, ...]] = {}
        """What the model said of words that no name explains: asked once for each robot."""
        self._rules = None if guidelines is None else RuleReader(model, guidelines)

    async def understand(self, monologue: Monologue) -> Meaning:
        """What was said last means; Unparseable where the model wrote no program, which it is then told."""
        heard = all_heard(monologue)[-1]
        scene = monologue.last(Observation) or self._world.observe()
        await self._read_rules(scene)
        at = self._circumstances(heard, monologue, without_things(scene, chosen_in_vain(heard, monologue)))
        run = partial(run_program, at=at, sandbox=self._sandbox)
        settled = settle_reply(heard, monologue, at.lexicon, run, self._asking)
        settled = settled or recall(heard, monologue, at, run, self._asking)
        return settled if settled is not None else await self._read(heard, monologue, at.scene, at)

    async def _read(
        self,
        heard: Heard,
        monologue: Monologue,
        scene: Observation,
        at: Circumstances,
        narrowed: Narrowed | None = None,
    ) -> Meaning:
        """What a model makes of it; of what is told apart by where it is, once that was looked at."""
        shown, turns = self._shown(heard, monologue, scene)
        prompt = render_prompt(shown, turns, heard.text, explained=not is_fluent(self._model))
        refused = [r for r in monologue.since(heard.at, Refusal) if r.role == "understanding"]
        if len(refused) >= _TRIES - 1:
            return Meaning("", "unclear", "I did not understand that. Please say it differently.", why=refused[-1].why)
        for each in refused:
            prompt += f"{each.words.strip()}\n# That cannot be run: {' '.join(each.why.split())[:200]} Once more:\n"
        grammar = program_grammar(shown)
        written = await write_program(self._model, prompt, grammar)
        at = replace(at, known=await self._known(written.program, prompt, at))
        completed = self._completed(written.program, heard.text, at)
        written = replace(written, program=with_going_on(completed, heard, monologue, at.lexicon))
        if narrowed is not None:
            written = replace(written, program=narrowed.named(written.program, at))
        elif isinstance(first := look_first(written.program, heard, monologue, at), Meaning):
            return first
        elif first is not None:
            return await self._read_again(first, heard, monologue)
        if says_needless(heard.text, at.lexicon):
            under_way = is_under_way(monologue, heard.at)
            if (program := excused(written.program, at.lexicon, under_way=under_way)) is not None:
                return replace(run_program(program, at, self._sandbox), sure=1.0)
        if self._rules is not None:
            await self._rules.find_homes(find_homeless(written.program, at))
            at = self._circumstances(heard, monologue, scene)
        asked = find_asked(heard, monologue)
        if came_to_nothing(monologue) and not (asked and UNDO in asked.program):  # nothing could be taken back
            undo = rf"\A{re.escape(spelled(UNDO, shown))}\(\d*\)\n(?=.)"
            written = replace(written, program=re.sub(undo, "", written.program))
        try:
            written, meaning = self._taken_back(written, heard, monologue, at)
        except Unparseable as error:
            raise Unparseable(str(error), written.program, role="understanding") from error
        if meaning.sort == "unclear" and spelled(UNCLEAR, shown) not in written.program:
            raise Unparseable(_SAYS_NOTHING, written.program, role="understanding")
        written, meaning = self._in_sense(written, meaning, heard, at)
        if narrowed is None and (wanted := without_told(meaning, heard.text, at)) is not None:
            return await self._read_again(wanted, heard, monologue)
        before = meaning
        said = " ".join(monologue.heard()) if asked is not None else heard.text  # what was named stays so
        found = "" if narrowed is None else narrowed.found
        written, meaning = await self._settled(written, meaning, prompt, said, at, found)
        hint = self._hint(meaning, heard, monologue, scene, shown)
        if hint is not None:
            return hint
        doubt = await self._doubt(written, meaning, prompt, grammar, heard, at, monologue)
        if meaning is not before:
            doubt = replace(doubt, sure=0.0)  # a guess is never sure
        weighed = self._decider.decide(meaning, doubt, at, heard, monologue)
        return await self._in_parts(weighed, heard, at, shown, turns) or self._rest(weighed, at, monologue) or weighed

    async def _known(self, program: str, prompt: str, at: Circumstances) -> dict[str, tuple[str, ...]]:
        """What the model knows of words in a program that nothing here explains: which things they may name."""
        found: dict[str, tuple[str, ...]] = {}
        for words in find_unknown(program, at):
            if words.lower() not in self._sorts:
                self._sorts[words.lower()] = await ask_which(self._model, prompt, program, words, at.lexicon.things)
            found[words.lower()] = self._sorts[words.lower()]
        return found

    async def _read_again(self, narrowed: Narrowed, heard: Heard, monologue: Monologue) -> Meaning:
        """What fewer words come to, among fewer things."""
        heard = replace(heard, text=narrowed.text)
        at = self._circumstances(heard, monologue, narrowed.scene)
        return narrowed.settled(await self._read(heard, monologue, at.scene, at, narrowed), at, self._sandbox)

    def _completed(self, program: str, request: str, at: Circumstances) -> str:
        """What a model wrote, with what follows from the words alone."""
        lexicon = at.lexicon
        referred = with_referents(with_opposites(program, lexicon), request, lexicon)
        named = with_lists(with_said_names(referred, request, lexicon), request, lexicon)
        placed = with_fitting_places(named, places_of(at.world, at.scene), lexicon)
        kept = with_exceptions(with_forbidden(placed, request, lexicon), request, lexicon)
        return with_orders(kept, request, at)

    def _taken_back(
        self, written: Written, heard: Heard, monologue: Monologue, at: Circumstances
    ) -> tuple[Written, Meaning]:
        """What a program means; where something is taken back, only of what that is said, and to where it was."""
        meaning, program = run_program(written.program, at, self._sandbox), None
        if meaning.sort == "undo" and narrowing.says_back(heard.text):
            program = narrowing.find_way_back(heard.text, past_works(monologue), at.scene.state, at.lexicon, at.world)
        elif meaning.sort == "undo" and (whole := find_all_back(heard.text, monologue, len(at.undone), at.lexicon)):
            program = whole[0]
        elif meaning.sort == "undo":
            program = narrowing.narrow(heard.text, meaning, work_to_undo(monologue, undo_count(meaning)), at.lexicon)
        if program is None:
            return written, meaning
        return replace(written, program=program), run_program(program, at, self._sandbox)

    def _in_sense(self, written: Written, meaning: Meaning, heard: Heard, at: Circumstances) -> tuple[Written, Meaning]:
        """The same, with a yes for a no where the opposite was asked."""
        program = with_sense(Said(heard.text, at.lexicon, meaning), at) if meaning.sort == "answer" else ""
        if not program or program == meaning.program:
            return written, meaning
        return replace(written, program=program), run_program(program, at, self._sandbox)

    async def _settled(
        self, written: Written, meaning: Meaning, prompt: str, said: str, at: Circumstances, found: str
    ) -> tuple[Written, Meaning]:
        """The same, with a thing that will do where it was left open which, and nothing in view is called so."""
        unsettled = find_unsettled(written.program, meaning, said, at.lexicon, at.scene, found)
        if unsettled is None or not gives_opinions(self._model.name):
            return written, meaning

        async def is_meant(program: str) -> float | None:
            return (await with_opinion(self._model, prompt, Written(program))).opinion

        program = await settle(written.program, unsettled, meaning, at.scene, is_meant)
        if program is None:
            return written, meaning
        return replace(written, program=program), run_program(program, at, self._sandbox)

    def _hint(
        self, meaning: Meaning, heard: Heard, monologue: Monologue, scene: Observation, shown: Lexicon
    ) -> Meaning | None:
        """What a remark about what has just gone wrong comes to for the request under way, if it is one."""

        def rerun(program: str, scene: Observation) -> Meaning:
            return run_program(program, self._circumstances(heard, monologue, scene), self._sandbox)

        return take_hint(heard.text, meaning, monologue, self._world, scene, rerun, spelled(KEEP, shown))

    async def reconsider(self, monologue: Monologue) -> Meaning | None:
        """What was said last comes to with what has come to light since; None where that changes nothing."""
        unread, heard = find_unread(monologue), all_heard(monologue)[-1]
        if unread is None or self._guidelines is not None:
            return None
        at = self._circumstances(heard, monologue, unread.scene)
        if is_settled_by_place(unread.meaning.program, heard.text, at):
            return None
        again = self._decider.run(unread.meaning.program, at)
        if (again is None or not is_more(again, unread)) and may_list_more(unread, heard.text, at.lexicon):
            shown, turns = self._shown(heard, monologue, unread.scene)
            prompt = render_prompt(shown, turns, heard.text, explained=not is_fluent(self._model))
            written = await write_program(self._model, prompt, program_grammar(shown))
            program = with_siblings(self._completed(written.program, heard.text, at), unread, at.lexicon, self._world)
            again = None if program is None else self._decider.run(program, at)
        return replace(again, sure=unread.meaning.sure) if again is not None and is_more(again, unread) else None

    async def prepare(self) -> None:
        """Let the model read what there is to speak of, so that the first request takes no longer than others."""
        scene = self._world.observe()
        shown = self._lexicon("", Monologue(self._world.clock), scene, find_relevant(self._world, scene, []))
        await self._read_rules(scene)
        await read_ahead(self._model, render_beginning(shown, explained=not is_fluent(self._model)))

    async def _read_rules(self, scene: Observation) -> None:
        """Read the rules of the guidelines, if there are any, that were not read yet."""
        if self._rules is not None and (guidelines := self._guidelines) is not None:
            await self._rules.read(lambda step: can_do(step, guidelines, self._world, scene))

    def _lexicon(self, said: str, monologue: Monologue, scene: Observation, about: list[str] | None = None) -> Lexicon:
        return lexicon_of(
            self._world,
            scene,
            notes=notes_of(monologue),
            kept=kept_of(monologue),
            about=about,
            guidelines=tell_guidelines(self._guidelines, said),
        )

    def _circumstances(self, heard: Heard, monologue: Monologue, scene: Observation) -> Circumstances:
        lexicon = self._lexicon(heard.text, monologue, scene)
        past, story, undone = past_of(monologue), story_of(monologue, heard.text), undone_of(monologue)
        orders = None if self._rules is None else self._rules.orders(*orders_of(heard, monologue))
        earlier = [
            mentioned_in(each.meaning, lexicon) for each in all_heard(monologue)[:-1] if each.meaning is not None
        ]
        mentioned = tuple(each for each in reversed(earlier) if each)
        return Circumstances(self._world, scene, lexicon, past, story, undone, heard.text, orders, mentioned)

    def _shown(self, heard: Heard, monologue: Monologue, scene: Observation) -> tuple[Lexicon, list[PastTurn]]:
        """What of the robot a model is shown, and what was said before."""
        earlier = [each for each in all_heard(monologue)[:-1] if each.meaning is not None and each.meaning.program]
        if find_asked(heard, monologue) and stands_alone(heard.text, self._lexicon("", monologue, scene)):
            earlier = without_open(earlier)
        talk = [each.text for each in earlier[-2:]]
        about = find_relevant(self._world, scene, [*talk, heard.text])
        return self._lexicon(heard.text, monologue, scene, about), turns_of(earlier[-MOST_TURNS:], monologue)

    # How sure ---------------------------------------------------------------------------------------------------------

    async def _doubt(
        self,
        written: Written,
        meaning: Meaning,
        prompt: str,
        grammar: str,
        heard: Heard,
        at: Circumstances,
        monologue: Monologue,
    ) -> Doubt:
        def outcome(program: str) -> Hashable | None:
            found = self._decider.run(with_orders(program, heard.text, at), at)
            other = program != written.program
            if found is None or (other and self._decider.find_misfit(found, heard, at) is not None):
                return None  # what does not fit the words is no other reading of them
            return outcome_of(found, at.world)

        def tell(program: str) -> str | None:
            found = self._decider.run(with_orders(program, heard.text, at), at)
            return None if found is None else found.words

        before = turns_of(all_heard(monologue)[-3:-1], monologue)
        said = Said(heard.text, at.lexicon, meaning, [text for turn in before for text in turn.texts])
        judge = None if self._judge is None else Judge(self._judge, heard.text, at.lexicon, tell, before)
        return await measure_doubt(self._model, prompt, grammar, written, said, outcome, judge)

    async def _in_parts(
        self, weighed: Meaning, heard: Heard, at: Circumstances, shown: Lexicon, turns: list[PastTurn]
    ) -> Meaning | None:
        """The question that comes of reading parts of a request, where the whole was not understood."""

        async def read(text: str) -> str | None:
            prompt = render_prompt(shown, turns, text, explained=not is_fluent(self._model))
            try:
                written = await write_program(self._model, prompt, program_grammar(shown))
            except ModelError:
                return None
            return self._completed(written.program, text, at)

        if self._asking.confirm == "never":
            return None
        return await read_in_parts(weighed, heard.text, at, self._decider, read)

    def _rest(self, weighed: Meaning, at: Circumstances, monologue: Monologue) -> Meaning | None:
        """The rest, or the question whether it is to be done, once there is nothing more to be found by looking."""
        looked = monologue.where(Look, after=monologue.order_start()) is not None
        if find_ability(self._world, Scanning) is not None and not looked and tells_missing(weighed.why):
            return None
        request = monologue.last(Request)
        alone = self._asking.confirm == "never" and request is not None and not request.attended
        rest = find_rest(weighed, at.lexicon, partial(self._decider.run, at=at))
        return None if rest is None else rest.meaning() if alone else rest.question(weighed)
