"""Whether a reading is what was said: signs of doubt, words that do not fit it, and how sure it is after all."""
