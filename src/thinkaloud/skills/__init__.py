"""What a robot can do and what can be true: skills, relations and measures, with everything they declare.

`definitions` has the three kinds and their decorators; `signatures` what is read from a typed function.
"""

from __future__ import annotations

from thinkaloud.skills.definitions import FactsOfArguments as FactsOfArguments
from thinkaloud.skills.definitions import Measure as Measure
from thinkaloud.skills.definitions import Precondition as Precondition
from thinkaloud.skills.definitions import Relation as Relation
from thinkaloud.skills.definitions import Skill as Skill
from thinkaloud.skills.definitions import condition_holds as condition_holds
from thinkaloud.skills.definitions import is_complete as is_complete
from thinkaloud.skills.definitions import measure as measure
from thinkaloud.skills.definitions import measures_of as measures_of
from thinkaloud.skills.definitions import relation as relation
from thinkaloud.skills.definitions import relations_of as relations_of
from thinkaloud.skills.definitions import skill as skill
from thinkaloud.skills.definitions import skills_of as skills_of
from thinkaloud.skills.definitions import tells_done as tells_done
from thinkaloud.skills.definitions import touched_by as touched_by
from thinkaloud.skills.signatures import Amount as Amount
from thinkaloud.skills.signatures import Kind as Kind
from thinkaloud.skills.signatures import Signature as Signature
from thinkaloud.skills.signatures import Vocabulary as Vocabulary
