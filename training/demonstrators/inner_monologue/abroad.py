"""A few requests in other languages, about things that have a name there."""

from __future__ import annotations

from training.demonstrators.inner_monologue.asking import Asked
from training.demonstrators.inner_monologue.requests import Requests

COLOURS = {
    "red": ("rot", "rouge", "rojo"),
    "blue": ("blau", "bleu", "azul"),
    "green": ("grün", "vert", "verde"),
    "yellow": ("gelb", "jaune", "amarillo"),
    "orange": ("orange", "orange", "naranja"),
    "purple": ("lila", "violet", "morado"),
    "pink": ("rosa", "rose", "rosa"),
    "gray": ("grau", "gris", "gris"),
    "black": ("schwarz", "noir", "negro"),
    "white": ("weiß", "blanc", "blanco"),
}
KINDS = {
    "block": (("Block", "Blöcke"), ("bloc", "blocs"), ("bloque", "bloques")),
    "cube": (("Würfel", "Würfel"), ("cube", "cubes"), ("cubo", "cubos")),
    "ball": (("Ball", "Bälle"), ("ballon", "ballons"), ("balón", "balones")),
    "lid": (("Deckel", "Deckel"), ("couvercle", "couvercles"), ("tapón", "tapones")),
    "stone": (("Stein", "Steine"), ("caillou", "cailloux"), ("guijarro", "guijarros")),
}
PLACES = {
    "middle": ("in die Mitte", "au milieu", "en el centro"),
    "left side": ("auf die linke Seite", "sur le côté gauche", "en el lado izquierdo"),
    "right side": ("auf die rechte Seite", "sur le côté droit", "en el lado derecho"),
    "top side": ("auf die obere Seite", "sur le côté supérieur", "en el lado superior"),
    "bottom side": ("auf die untere Seite", "sur le côté inférieur", "en el lado inferior"),
    "top left corner": ("in die Ecke oben links", "dans le coin en haut à gauche", "en la esquina superior izquierda"),
    "top right corner": ("in die Ecke oben rechts", "dans le coin en haut à droite", "en la esquina superior derecha"),
    "bottom left corner": (
        "in die Ecke unten links",
        "dans le coin en bas à gauche",
        "en la esquina inferior izquierda",
    ),
    "bottom right corner": (
        "in die Ecke unten rechts",
        "dans le coin en bas à droite",
        "en la esquina inferior derecha",
    ),
}
ONE = (
    ("Leg den {c}en {n} {p}.", "Bitte bring den {c}en {n} {p}."),
    ("Mets le {n} {c} {p}.", "Place le {n} {c} {p}, s'il te plaît."),
    ("Pon el {n} {c} {p}.", "Coloca el {n} {c} {p}, por favor."),
)
ALL = (
    ("Leg alle {m} {p}.", "Alle {m} sollen {p}.", "Bring bitte alle {m} {p}."),
    ("Mets tous les {m} {p}.", "Tous les {m} {p}, s'il te plaît."),
    ("Pon todos los {m} {p}.", "Todos los {m} {p}, por favor."),
)
STACK = (
    ("Stapel alle {m}.", "Bau einen Turm aus den {m}n.", "Leg alle {m} aufeinander."),
    ("Empile tous les {m}.", "Fais une tour avec les {m}."),
    ("Apila todos los {m}.", "Haz una torre con los {m}."),
)


def abroad(requests: Requests) -> Asked | None:
    """One of them, if the scene has what there are words for."""
    scene, rng = requests.scene, requests.rng
    places = [place for place in scene.places if place in PLACES]
    if scene.kind not in KINDS or not places:
        return None
    language = int(rng.integers(3))
    noun, many = KINDS[scene.kind][language]
    place = requests.pick(tuple(places))
    where, chance = PLACES[place][language], rng.random()
    things = tuple(name for name in scene.of(scene.kind) if name.partition(" ")[0] in COLOURS)
    if chance < 0.4 and things:
        thing = requests.pick(things)
        colour = COLOURS[thing.partition(" ")[0]][language]
        text = requests.pick(ONE[language]).format(c=colour, n=noun, p=where)
        return Asked(text, (requests.fact(thing, place),), again=(thing, place))
    if chance < 0.75 or len(scene.of(scene.kind)) < 2:
        every = f"every {scene.kind}"
        return Asked(
            requests.pick(ALL[language]).format(m=many, p=where), (requests.fact(every, place),), again=(every, place)
        )
    return Asked(
        requests.pick(STACK[language]).format(m=many), (requests.fact(f"every {scene.kind}", requests.stack()),)
    )
