"""From linked words to typed meanings: a module for each kind of sentence, and the choice among readings."""
