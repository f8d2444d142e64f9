"""The families: one module each, behind one protocol."""

from __future__ import annotations

from campaign.contract import FamilyKind
from campaign.families.answers import Answers
from campaign.families.escapes import Escapes
from campaign.families.files import Files
from campaign.families.journals import Journals
from campaign.families.kills import Kills
from campaign.families.names import Names
from campaign.families.page_attacks import PageAttacks
from campaign.families.page_stops import PageStops
from campaign.families.soak import Soak
from campaign.families.stops import Stops
from campaign.families.words import HostileWords

FAMILIES = {
    kind.name: kind
    for kind in (
        FamilyKind("kills", "processes that are killed, and resumed", Kills, 2),
        FamilyKind("answers", "answers of models that are none, in words and on the wire", Answers),
        FamilyKind("names", "names of things that command, pose as labels or as code", Names, 1.5),
        FamilyKind("words", "names, reports, guidelines and answers that command, obeyed", HostileWords, 0.5),
        FamilyKind("stops", "stops through a pipe and at a terminal, in ticks", Stops),
        FamilyKind("page_attacks", "attacks on the server of the page", PageAttacks),
        FamilyKind("page_stops", "stops on the page while the connection fails", PageStops, 1.5),
        FamilyKind("journals", "journals that are damaged", Journals),
        FamilyKind("escapes", "programs against the sandbox", Escapes),
        FamilyKind("files", "fuzzed scenes, settings, guidelines, robots and headers of weights", Files),
        FamilyKind("soak", "twenty sessions at once in one process, over and over", Soak, 1.5),
    )
}
