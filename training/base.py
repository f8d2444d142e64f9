"""Where the base model lies: `python -m training.base` prints its path."""

from thinkaloud.models.weight_files import embedded_weights

if __name__ == "__main__":
    print(embedded_weights())
