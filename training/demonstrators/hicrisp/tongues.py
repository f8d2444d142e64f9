"""A few requests in German, French and Spanish; what things are called in the home stays English."""

from __future__ import annotations

from training.demonstrators.hicrisp.activities import BY_NAME
from training.demonstrators.hicrisp.homes import Crowded, Wanted
from training.demonstrators.hicrisp.shorthand import steps_of

_WORDS: dict[str, dict[str, tuple[str, str, str]]] = {
    "food": {
        "soup": ("die Suppe", "la soupe", "la sopa"), "cheese": ("den Käse", "le fromage", "el queso"),
        "bread": ("das Brot", "le pain", "el pan"), "banana": ("die Banane", "la banane", "el plátano"),
        "potato": ("die Kartoffel", "la pomme de terre", "la patata"), "egg": ("das Ei", "l'œuf", "el huevo"),
        "pear": ("die Birne", "la poire", "la pera"), "cookie": ("den Keks", "le biscuit", "la galleta"),
        "chicken": ("das Hähnchen", "le poulet", "el pollo"), "pizza": ("die Pizza", "la pizza", "la pizza"),
    },
    "clothes": {
        "shirt": ("das Hemd", "la chemise", "la camisa"), "jacket": ("die Jacke", "la veste", "la chaqueta"),
        "hat": ("den Hut", "le chapeau", "el sombrero"), "socks": ("die Socken", "les chaussettes", "los calcetines"),
    },
    "misc": {
        "key": ("den Schlüssel", "la clé", "la llave"), "scissors": ("die Schere", "les ciseaux", "las tijeras"),
        "umbrella": ("den Regenschirm", "le parapluie", "el paraguas"), "pen": ("den Stift", "le stylo",
        "el bolígrafo"),
        "ball": ("den Ball", "le ballon", "la pelota"), "pillow": ("das Kissen", "l'oreiller", "la almohada"),
    },
    "vessel": {"cup": ("die Tasse", "la tasse", "la taza"), "jug": ("den Krug", "la cruche", "la jarra")},
    "cooler": {"fridge": ("den Kühlschrank", "le réfrigérateur", "la nevera"),
               "freezer": ("den Gefrierschrank", "le congélateur", "el congelador")},
    "cupboard": {"drawer": ("die Schublade", "le tiroir", "el cajón"),
                 "wardrobe": ("den Schrank", "l'armoire", "el armario")},
    "surface": {"table": ("den Tisch", "la table", "la mesa"), "shelf": ("das Regal", "l'étagère", "el estante"),
                "desk": ("den Schreibtisch", "le bureau", "el escritorio")},
    "seat": {"sofa": ("dem Sofa", "le canapé", "el sofá"), "chair": ("dem Stuhl", "la chaise", "la silla"),
             "bench": ("der Bank", "le banc", "el banco")},
    "lamp": {"lamp": ("die Lampe", "la lampe", "la lámpara"), "lantern": ("die Laterne", "la lanterne", "la linterna")},
    "device": {"fan": ("den Ventilator", "le ventilateur", "el ventilador"),
               "heater": ("die Heizung", "le chauffage", "la calefacción")},
    "oven": {"oven": ("dem Ofen", "le four", "el horno"),
             "microwave": ("der Mikrowelle", "le micro-ondes", "el microondas")},
    "bin": {"bin": ("den Müll", "la poubelle", "la basura"), "trash can": ("den Abfall", "la poubelle", "la papelera")},
    "tap": {"tap": ("dem Hahn", "le robinet", "el grifo"), "faucet": ("dem Wasserhahn", "le robinet", "el grifo")},
}  # fmt: skip
_SAID: tuple[tuple[str, dict[str, str], tuple[str, str, str]], ...] = (
    ("put in", {"x": "food clothes misc vessel", "c": "cooler cupboard"},
     ("Leg {x} in {c}.", "Mets {x} dans {c}.", "Pon {x} en {c}.")),
    ("put on", {"x": "food clothes misc vessel", "s": "surface"},
     ("Stell {x} auf {s}.", "Pose {x} sur {s}.", "Pon {x} sobre {s}.")),
    ("bring two", {"x": "food misc vessel", "y": "clothes misc", "s": "surface"},
     ("Bring {x} und {y} auf {s}.", "Apporte {x} et {y} sur {s}.", "Lleva {x} y {y} a {s}.")),
    ("switch on", {"d": "lamp device"}, ("Schalte {d} ein.", "Allume {d}.", "Enciende {d}.")),
    ("switch off", {"d": "lamp device"}, ("Schalte {d} aus.", "Éteins {d}.", "Apaga {d}.")),
    ("throw away", {"x": "food misc", "b": "bin"}, ("Wirf {x} weg.", "Jette {x}.", "Tira {x}.")),
    ("eat on", {"x": "food", "s": "seat"}, ("Iss {x} auf {s}.", "Mange {x} sur {s}.", "Come {x} en {s}.")),
    ("wash", {"x": "vessel clothes", "t": "tap"}, ("Wasch {x}.", "Lave {x}.", "Lava {x}.")),
    ("heat in", {"x": "food", "m": "oven"},
     ("Erwärme {x} in {m}.", "Réchauffe {x} dans {m}.", "Calienta {x} en {m}.")),
    ("fetch", {"x": "food clothes misc vessel"}, ("Hol {x}.", "Prends {x}.", "Coge {x}.")),
)  # fmt: skip


def foreign(wanted: Wanted) -> tuple[str, tuple[str, ...]]:
    """A request in another language, and the steps that do it."""
    rng = wanted.rng
    activity, roles, templates = _SAID[int(rng.integers(len(_SAID)))]
    tongue = int(rng.integers(3))
    names, said = dict[str, str](), dict[str, str]()
    for letter, kinds in roles.items():
        for _ in range(40):
            kind = str(rng.choice(kinds.split()))
            name = str(rng.choice(list(_WORDS[kind])))
            if wanted.take(name, kind):
                names[letter], said[letter] = name, _WORDS[kind][name][tongue]
                break
        else:
            raise Crowded(letter)
    known = BY_NAME[activity]
    wanted.states |= {names[letter]: state for letter, state in known.states.items()}
    return templates[tongue].format_map(said), tuple(steps_of(wanted, known.done, names))
