"""What people set up on the page: robots to add, models to fetch or reach elsewhere; and what a robot can do."""

from __future__ import annotations

import asyncio
from pathlib import Path

from thinkaloud.errors import BadInput
from thinkaloud.robots import is_own_robot, is_robot_file, open_world
from thinkaloud.robots.abilities import Abilities, tell_abilities
from thinkaloud.web.added_robots import AddedRobot, AddedRobots, RobotCheck
from thinkaloud.web.choices import AvailableChoices
from thinkaloud.web.journal_reader import JournalReader
from thinkaloud.web.live_sessions import LiveSessions
from thinkaloud.web.model_shelf import ModelShelf, ModelState
from thinkaloud.web.people import Visitors
from thinkaloud.web.world_names import name_worlds, tell_world


class Workshop:
    """Robots and models, for those who administer a server; to look at, for everybody."""

    def __init__(
        self,
        visitors: Visitors,
        journal: JournalReader,
        sessions: LiveSessions,
        available: AvailableChoices,
        shelf: ModelShelf,
        robots: AddedRobots,
    ) -> None:
        self._visitors, self._journal, self._sessions = visitors, journal, sessions
        self._available, self._shelf, self._robots = available, shelf, robots

    # what a robot can do ----------------------------------------------------------------------------------------------

    async def abilities(self, world: str) -> Abilities:
        """What the robot of a world can do; BadInput for a class of one's own, which is made only in a session."""
        world = self._available.find_world(world)
        if is_own_robot(world) and not is_robot_file(world):
            raise BadInput("This robot is a class of your own. Start a session, and it tells what it can do.")
        return await asyncio.to_thread(lambda: tell_abilities(open_world(world), tell_world(world)))

    async def abilities_of(self, session: str) -> Abilities:
        """What the robot of a session can do."""
        watched = await self._sessions.find(session)
        robot = watched.live
        if robot is not None and robot.id:
            return await asyncio.wrap_future(robot.call(robot.tell_abilities))
        return await self.abilities(watched.world)

    # robots -----------------------------------------------------------------------------------------------------------

    async def check_robot(self, text: str, *, viewer: str) -> RobotCheck:
        """What is wrong with a robot's file, with lines; nothing is kept."""
        self._visitors.require(viewer, "administer")
        return await asyncio.to_thread(self._robots.check, text)

    async def add_robot(self, name: str, text: str, *, viewer: str) -> RobotCheck:
        """Offer a robot that has nothing to mend; else what there is to mend."""
        person = self._visitors.require(viewer, "administer")
        found = await asyncio.to_thread(self._robots.add, name, text)
        if not found.problems and person is not None:
            await self._journal.add_act(person.name, f"added the robot {name!r}")
        return found

    async def added_robots(self, *, viewer: str) -> list[AddedRobot]:
        """The robots that were added, which can be changed and removed."""
        self._visitors.require(viewer, "administer")
        worlds = {world: told for told, world in name_worlds(self._available.world_names()).items()}
        return [AddedRobot(Path(path).stem, worlds[path]) for path in self._robots.worlds() if path in worlds]

    async def robot_text(self, name: str, *, viewer: str) -> str:
        """The file of a robot that was added."""
        self._visitors.require(viewer, "administer")
        return await asyncio.to_thread(self._robots.read, name)

    async def remove_robot(self, name: str, *, viewer: str) -> None:
        """Offer a robot no longer that was added; its sessions stay in the journal."""
        person = self._visitors.require(viewer, "administer")
        await asyncio.to_thread(self._robots.remove, name)
        if person is not None:
            await self._journal.add_act(person.name, f"removed the robot {name!r}")

    # models -----------------------------------------------------------------------------------------------------------

    async def models(self) -> list[ModelState]:
        """All models, with what is being fetched."""
        return await asyncio.to_thread(self._shelf.states)

    async def fetch_model(self, *, viewer: str) -> None:
        """Begin to fetch the large model."""
        person = self._visitors.require(viewer, "administer")
        self._shelf.fetch_large()
        if person is not None:
            await self._journal.add_act(person.name, "began to fetch embedded-large")

    async def stop_fetching(self, *, viewer: str) -> None:
        """End a download; what has come is kept."""
        person = self._visitors.require(viewer, "administer")
        self._shelf.stop_fetching()
        if person is not None:
            await self._journal.add_act(person.name, "stopped fetching embedded-large")

    async def add_hosted(self, address: str, model: str, key: str, *, viewer: str) -> str:
        """Offer a model at an address; its name. The key stays in memory."""
        person = self._visitors.require(viewer, "administer")
        name = self._shelf.add_hosted(address, model, key)
        if person is not None:
            await self._journal.add_act(person.name, f"added the model {name!r}")
        return name

    async def remove_hosted(self, name: str, *, viewer: str) -> None:
        """Forget a hosted model."""
        self._visitors.require(viewer, "administer")
        self._shelf.remove_hosted(name)
