"""The stage: a model writes what a person said as a program, code runs it, and where it is in doubt a person is asked.

An answer to one of our own questions is looked at first (`replies`); what was read is then decided on (`deciding`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Hashable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial

from thinkaloud.episode.lessons import lessons_of
from thinkaloud.episode.told_rules import kept_of, rules_of, standing_of
from thinkaloud.errors import ModelError, Unparseable
from thinkaloud.guidelines import Guidelines
from thinkaloud.guidelines.orders import can_do
from thinkaloud.guidelines.rules import RuleReader
from thinkaloud.guidelines.summary import tell_guidelines
from thinkaloud.language.known_languages import ONLY_THESE, is_known_language
from thinkaloud.language.words import picked_number, says_yes
from thinkaloud.models import Model, is_fluent
from thinkaloud.models.contract import find_judge, read_ahead
from thinkaloud.monologue import Monologue
from thinkaloud.program.lexicon import Lexicon, lexicon_of, own_words
from thinkaloud.program.parsing import program_of, read_program
from thinkaloud.program.switches import switched_off
from thinkaloud.program.tree import Undo
from thinkaloud.program.words import KEEP, spelled
from thinkaloud.program.written_steps import write_steps
from thinkaloud.records import (
    WEIGHED,
    Act,
    Answer,
    DueRequest,
    Look,
    Meaning,
    NotClear,
    Observation,
    PlanEdit,
    Refusal,
    Refused,
    Request,
    Step,
    Taught,
)
from thinkaloud.understand.checking.certainty import Doubt, Written, ask_which, measure_doubt, write_program
from thinkaloud.understand.checking.grounding import keeps_rules
from thinkaloud.understand.checking.judge import Judge
from thinkaloud.understand.conversation import (
    Heard,
    all_heard,
    came_to_nothing,
    chosen_for,
    chosen_in_vain,
    latest_turns,
    notes_of,
    orders_of,
    past_of,
    story_of,
    turns_of,
    undone_of,
)
from thinkaloud.understand.deciding import Decider
from thinkaloud.understand.hints import take_hint, without_things
from thinkaloud.understand.lessons import find_lesson, similar_turns
from thinkaloud.understand.looking import find_unread, is_more, look_around, look_first
from thinkaloud.understand.meaning.circumstances import Circumstances
from thinkaloud.understand.meaning.ordering import find_homeless
from thinkaloud.understand.meaning.referents import find_narrow, find_options, find_unknown, mentioned_in
from thinkaloud.understand.meaning.running import run_due, run_program
from thinkaloud.understand.offering import Asking, outcome_of
from thinkaloud.understand.prompting.grammar import program_grammar
from thinkaloud.understand.prompting.prompt import PastTurn, render_beginning, render_prompt
from thinkaloud.understand.relevant import find_relevant
from thinkaloud.understand.replies import (
    ask_again,
    ask_in_vain,
    explain_question,
    find_asked,
    settle_bare_yes,
    settle_reply,
    tell_open_ban,
    with_option_named,
)
from thinkaloud.understand.the_rest import find_rest
from thinkaloud.worlds.contract import Scanning, World, find_ability
from thinkaloud.worlds.effects import exclude_each_other

_TRIES = 3
_REMEMBERED = 100
"""The latest of what was said, in which `it` and numbers are looked for; a week has thousands."""
_SAYS_NOTHING = "This says and does nothing; call a function, or unclear() if you do not know what is meant."


class Reader:
    """Reads what a person says with a language model; see the module's description."""

    def __init__(
        self,
        model: Model,
        world: World,
        asking: Asking | None = None,
        guidelines: Guidelines | None = None,
        without: Collection[str] = (),
    ) -> None:
        self._without = frozenset(without)
        self._model, self._world = model, world
        self._judge = find_judge(model)
        """Found at once: loading it later would hold up the whole loop."""
        self._asking, self._guidelines = asking or Asking(), guidelines
        self._beginning, self._reading_ahead = "", asyncio.Lock()
        """What the model has read ahead; a request waits for what is being read for it already."""
        self._decider = Decider(model.name, self._asking)
        self._sorts: dict[tuple[str, tuple[str, ...]], tuple[str, ...]] = {}
        """What the model said of words that no name explains: asked once for each robot."""
        self._alike: Lexicon | None = None
        self._topics: dict[int, tuple[Meaning, tuple[str, ...]]] = {}
        self._rules = None if guidelines is None else RuleReader(model, guidelines)

    async def understand(self, monologue: Monologue) -> Meaning:
        """What was said last means; Unparseable where the model wrote no program, which it is then told."""
        with switched_off(self._without):
            meaning = await self._understand(monologue)
        return tell_open_ban(meaning, monologue)

    async def _understand(self, monologue: Monologue) -> Meaning:
        heard = all_heard(monologue)[-1]
        scene = monologue.last(Observation) or self._world.observe()
        heard = with_option_named(heard, monologue)
        lesson = find_lesson(heard.text, lessons_of(monologue)) if self._is_request(heard, monologue) else None
        if lesson is not None and lesson.means:
            heard = replace(heard, text=lesson.means)
        await self._read_rules(scene)
        at = self._circumstances(heard, monologue, without_things(scene, chosen_in_vain(heard, monologue)))
        if isinstance(due := monologue.last((Request, Answer)), DueRequest):
            return run_due(due.rule, at)
        run = partial(run_program, at=replace(at, picked=True))
        settled = settle_bare_yes(heard, monologue) or settle_reply(heard, monologue, at.lexicon, run, self._asking)
        if settled is not None:
            return settled
        if lesson is not None and (meaning := _run_lesson(lesson, at)) is not None:
            return meaning
        if not is_known_language(heard.text, own_words(at.lexicon)):
            return Meaning("", ONLY_THESE, NotClear(ONLY_THESE))
        return await self._read(heard, monologue, at.scene, at)

    def read_edit(self, edit: PlanEdit, monologue: Monologue) -> Meaning | None:
        """The steps that a person put in place of the plan, as what the request means; nobody is asked about them."""
        with switched_off(self._without):
            heard, scene = all_heard(monologue)[-1], monologue.last(Observation) or self._world.observe()
            at = replace(self._circumstances(heard, monologue, scene), request="")
            meaning = self._decider.run(write_steps(edit.steps, at.lexicon), at)
        if meaning is None:
            return None
        before = monologue.last(Meaning, after=monologue.task_start())
        if before is not None and isinstance(meaning.content, Act) and isinstance(before.content, Act):
            act, was = meaning.content, before.content
            meaning = replace(meaning, content=replace(act, kept=was.kept, rules=was.rules, said=was.said))
        return replace(meaning, sure=1.0)

    def chose(self, step: Step, monologue: Monologue) -> bool:
        """Whether a step was done with the robot's own choice: without it, the request still comes to as much.

        "All the blocks" without one of them would be less than was asked for.
        """
        meaning = monologue.last(Meaning)
        things = chosen_for(step, meaning)
        if meaning is None or not things:
            return False
        heard, scene = all_heard(monologue)[-1], monologue.last(Observation) or self._world.observe()
        at = self._circumstances(heard, monologue, without_things(scene, things))
        try:
            anew = run_program(meaning.program if meaning.act.lacking else meaning.written or meaning.program, at)
        except Unparseable:
            return True  # only the model knows what else it might be
        return not isinstance(anew.content, Act) or len(anew.deeds) >= len(meaning.deeds)

    def _is_request(self, heard: Heard, monologue: Monologue) -> bool:
        record = monologue[heard.at].record
        return isinstance(record, Request) and not isinstance(record, DueRequest)

    async def _read(self, heard: Heard, monologue: Monologue, scene: Observation, at: Circumstances) -> Meaning:
        """What a model makes of it, or the look that has to come first."""
        shown, turns = self._shown(heard, monologue, scene)
        prompt = render_prompt(shown, turns, heard.text, explained=not is_fluent(self._model))
        refused = [r for r in monologue.since(heard.at, Refusal) if r.role == "understanding"]
        if len(refused) >= _TRIES - 1:
            return Meaning("", "I did not understand that. Please say it differently.", NotClear(refused[-1].why))
        for each in refused:
            prompt += f"{each.words.strip()}\n# That cannot be run: {' '.join(each.why.split())[:200]} Once more:\n"
        if not shown.partial:  # where only what a request speaks of is shown, no two prompts begin alike
            with suppress(ModelError):  # it will fail again, and is told of then
                await self._read_beginning(shown)
        grammar = program_grammar(shown)
        written = await write_program(self._model, prompt, grammar)
        at = replace(at, known=await self._known(find_unknown(written.program, at), written.program, prompt, at))
        if (first := look_first(written.program, heard, monologue, at)) is not None:
            return first
        if self._rules is not None:
            await self._rules.find_homes(find_homeless(written.program, at))
            at = replace(self._circumstances(heard, monologue, scene), known=at.known)
        written = replace(written, program=self._without_undo(written.program, heard, monologue, at))
        try:
            meaning = run_program(written.program, at)
        except Unparseable as error:
            raise Unparseable(str(error), written.program, role="understanding") from error
        at, meaning = await self._widened(written.program, meaning, prompt, at)
        if (around := look_around(meaning, heard, monologue, at, chosen_in_vain(heard, monologue))) is not None:
            return around
        at, meaning = self._with_offers(written.program, meaning, at, monologue)
        if meaning.content == NotClear():
            raise Unparseable(_SAYS_NOTHING, written.program, role="understanding")
        if (hint := self._hint(meaning, heard, monologue, scene, shown)) is not None:
            return hint
        if (explained := explain_question(meaning, heard, monologue, at, self._asking)) is not None:
            return explained
        doubt = await self._doubt(written, meaning, prompt, grammar, at, monologue)
        if doubt.instead:
            at, meaning = await self._widened(doubt.instead, run_program(doubt.instead, at), prompt, at)
        weighed = self._decider.decide(meaning, doubt, at, heard, monologue)
        told = self._rest(weighed, at, monologue) or ask_again(weighed, heard, monologue, self._asking) or weighed
        return ask_in_vain(told, monologue, self._asking) or told

    def _without_undo(self, program: str, heard: Heard, monologue: Monologue, at: Circumstances) -> str:
        """A program that takes nothing back before it acts, where nothing was done that it could take back."""
        asked, read = find_asked(heard, monologue), read_program(program, at.lexicon)
        offered = None if asked is None else read_program(asked.program, at.lexicon)
        if not came_to_nothing(monologue) or (offered is not None and any(isinstance(n, Undo) for n in offered.nodes)):
            return program
        match () if read is None else read.statements:
            case (Undo(), first, *others):
                return program_of([first, *others], at.lexicon).text
        return program

    def _hint(
        self, meaning: Meaning, heard: Heard, monologue: Monologue, scene: Observation, shown: Lexicon
    ) -> Meaning | None:
        """What a remark about what has just gone wrong comes to for the request under way, if it is one."""

        def rerun(program: str, scene: Observation) -> Meaning:
            return run_program(program, self._circumstances(heard, monologue, scene))

        return take_hint(heard.text, meaning, monologue, self._world, scene, rerun, spelled(KEEP, shown))

    async def _known(
        self, unknown: Sequence[str], program: str, prompt: str, at: Circumstances
    ) -> dict[str, tuple[str, ...]]:
        """What the model knows of words in a program that nothing here explains: which things they may name."""
        found: dict[str, tuple[str, ...]] = {}
        for words in unknown:
            asked = words.lower(), find_options(program, words, at)
            if asked not in self._sorts:
                self._sorts[asked] = await ask_which(self._model, prompt, program, words, asked[1])
            found[words.lower()] = self._sorts[asked]
        return found

    async def _widened(
        self, program: str, meaning: Meaning, prompt: str, at: Circumstances
    ) -> tuple[Circumstances, Meaning]:
        """What a program comes to once the model has said what else is of the sort of a list in which nothing fits."""
        narrow = find_narrow(program, meaning, at)
        if not narrow:
            return at, meaning
        at = replace(at, known={**at.known, **await self._known(narrow, program, prompt, at)})
        return at, run_program(program, at)

    def _with_offers(
        self, program: str, meaning: Meaning, at: Circumstances, monologue: Monologue
    ) -> tuple[Circumstances, Meaning]:
        """What a program comes to where nothing fits, and nothing more is to be found by looking."""
        missing = isinstance(meaning.content, Refused) and meaning.content.kind == "no such thing"
        if not missing or self._may_look(monologue):
            return at, meaning
        at = replace(at, offers=True)
        return at, run_program(program, at)

    def _may_look(self, monologue: Monologue) -> bool:
        """Whether a closer look may find what is missing; once for each order."""
        looked = monologue.where(Look, after=monologue.order_start()) is not None
        return find_ability(self._world, Scanning) is not None and not looked

    async def reconsider(self, monologue: Monologue) -> Meaning | None:
        """What was said last comes to with what has come to light since; None where that changes nothing."""
        with switched_off(self._without):
            return await self._reconsider(monologue)

    async def _reconsider(self, monologue: Monologue) -> Meaning | None:
        unread, heard = find_unread(monologue), all_heard(monologue)[-1]
        if unread is None or self._guidelines is not None:
            return None
        at = self._circumstances(heard, monologue, unread.scene)
        program = unread.meaning.written or unread.meaning.program
        if unknown := find_unknown(program, at):
            shown, turns = self._shown(heard, monologue, unread.scene)
            prompt = render_prompt(shown, turns, heard.text, explained=not is_fluent(self._model))
            at = replace(at, known=await self._known(unknown, program, prompt, at))
        again = self._decider.run(program, at)
        if again is not None and (rest := find_rest(again, at.lexicon, self._world, partial(self._decider.run, at=at))):
            again = rest.meaning(again)
        return replace(again, sure=unread.meaning.sure) if again is not None and is_more(again, unread) else None

    async def prepare(self) -> None:
        """Let the model read what there is to speak of, so that the first request takes no longer than others."""
        scene = self._world.observe()
        shown = self._lexicon("", Monologue(self._world.clock), scene, find_relevant(self._world, scene, []))
        await self._read_rules(scene)
        await self._read_beginning(shown)

    async def _read_beginning(self, shown: Lexicon) -> None:
        """Let the model read what the next prompts begin with: it may have kept that from an earlier process."""
        beginning = render_beginning(shown, explained=not is_fluent(self._model))
        async with self._reading_ahead:
            if beginning != self._beginning:
                await read_ahead(self._model, beginning)
                self._beginning = beginning

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
        past, story, undone = past_of(monologue), story_of(monologue, lexicon), undone_of(monologue)
        orders = None if self._rules is None else self._rules.orders(*orders_of(heard, monologue))
        earlier = [(each.text, each.meaning) for each in all_heard(monologue)[:-1] if each.meaning is not None]
        earlier = earlier[-_REMEMBERED:]
        mentioned = tuple(filter(None, (self._mentioned(meaning, lexicon) for _, meaning in reversed(earlier))))
        texts = tuple(text for said, meaning in earlier for text in (said, *_told_numbers(meaning)))
        return Circumstances(
            *(self._world, scene, lexicon, past, story, undone, heard.text, orders, mentioned),
            rules=rules_of(monologue),
            earlier=texts,
            standing=standing_of(monologue),
            now=monologue.date(),
            words=" ".join(each for each in monologue.heard() if not (says_yes(each) or picked_number(each))),
            goes_on=monologue.goes_on,
        )

    def _mentioned(self, meaning: Meaning, lexicon: Lexicon) -> tuple[str, ...]:
        """What an earlier request was about; read again only where there is something else to speak of now."""
        alike = replace(lexicon, facts=(), notes=(), kept=())
        if alike != self._alike or len(self._topics) > 2 * _REMEMBERED:
            self._alike, self._topics = alike, {}
        if id(meaning) not in self._topics:
            self._topics[id(meaning)] = meaning, mentioned_in(meaning, lexicon)
        return self._topics[id(meaning)][1]

    def _shown(self, heard: Heard, monologue: Monologue, scene: Observation) -> tuple[Lexicon, list[PastTurn]]:
        """What of the robot a model is shown, and what was said before."""
        earlier = [each for each in all_heard(monologue)[:-1] if each.meaning is not None and each.meaning.program]
        talk = [each.text for each in earlier[-2:]]
        about = find_relevant(self._world, scene, [*talk, heard.text])
        taught = similar_turns(heard.text, lessons_of(monologue))
        turns = [*taught, *turns_of(latest_turns(earlier), monologue)]
        return self._lexicon(heard.text, monologue, scene, about), turns

    # How sure ---------------------------------------------------------------------------------------------------------

    async def _doubt(
        self, written: Written, meaning: Meaning, prompt: str, grammar: str, at: Circumstances, monologue: Monologue
    ) -> Doubt:
        @cache
        def run(program: str) -> Meaning | None:
            return self._decider.run(program, at)

        def outcome(program: str) -> Hashable | None:
            found = run(program)
            if found is None or exclude_each_other(found.deeds, at.world, at.scene.vocabulary):
                return None
            return outcome_of(found, at.world)

        def tell(program: str) -> str | None:
            return None if (found := run(program)) is None else found.words

        before = turns_of(all_heard(monologue)[-3:-1], monologue)
        judge = None if self._judge is None else Judge(self._judge, at.request, at.lexicon, tell, before)
        enough = None if keeps_rules(meaning) else self._decider.enough
        return await measure_doubt(self._model, prompt, grammar, written, meaning, outcome, judge, enough)

    def _rest(self, weighed: Meaning, at: Circumstances, monologue: Monologue) -> Meaning | None:
        """The rest, or the question whether it is to be done, once there is nothing more to be found by looking."""
        missing = isinstance(weighed.content, Refused) and weighed.content.kind in ("no such thing", "declined")
        if missing and self._may_look(monologue):
            return None
        request = monologue.last(Request)
        alone = self._asking.confirm == "never" and request is not None and not request.attended
        rest = find_rest(weighed, at.lexicon, self._world, partial(self._decider.run, at=at))
        if rest is not None and rest.depends:
            return rest.refusal(weighed)
        return None if rest is None else rest.meaning(weighed) if alone else rest.question(weighed)


def _run_lesson(lesson: Taught, at: Circumstances) -> Meaning | None:
    """What a taught program comes to now; None if it is about things that are not here, or about other skills."""
    if not lesson.program:
        return None
    try:
        meaning = run_program(lesson.program, replace(at, request=""))
    except Unparseable:
        return None
    return None if meaning.sort in ("refusal", "question", "unclear") else replace(meaning, sure=1.0)


def _told_numbers(meaning: Meaning) -> tuple[str, ...]:
    """What of an earlier meaning a number may be taken from; a program that only led to a question told nothing."""
    return (meaning.program, *meaning.said) if meaning.sort in WEIGHED else meaning.said
