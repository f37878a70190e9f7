"""The English that the grammar knows: marks of comparison, negation and command, and related words."""

import re

from decision_ai_server.modellers.offline.words import NUMBER_WORDS, stem

PHRASES: dict[str, str] = {
    "at_most": (
        "at most|at the most|no more than|not more than|never more than|up to|a maximum of|maximum of|"
        "max of|no greater than|no higher than|not over|not above|within|at max|tops|capped at|limited to|"
        "or fewer|or less|or under|no longer than|at maximum|cap of|limit of|any more than|max|maximum"
    ),
    "at_least": (
        "at least|no fewer than|no less than|not less than|not fewer than|a minimum of|minimum of|or more|"
        "has to reach|must reach|have to reach|reach|at minimum|or above|no lower than|minimum|min"
    ),
    "exactly": "exactly|precisely|equal to|equals|exact",
    "above": (
        "more than|exceed|exceeds|exceeding|over|above|greater than|higher than|beyond|larger than|"
        "bigger than"
    ),
    "below": "less than|fewer than|under|below|lower than|smaller than",
    "between": "between",
    "negation": (
        "not|no|never|nothing|none|neither|without|cannot|can't|don't|mustn't|shouldn't|won't|isn't|doesn't|"
        "aren't|shan't|nor|needn't|no longer|wouldn't"
    ),
    "nobody": "nobody|no one|no-one",
    "everybody": "everybody|everyone",
    "each": "each|every|per|any single|any|each single|in all|for all|all|from each|for each|each of the",
    "together": (
        "together|over all|in total|altogether|combined|in all|overall|total|all in all|sum of|sum|the total|"
        "in sum"
    ),
    "both": "both|at the same time|simultaneously|as well as|the two|at once",
    "same": "the same|same|the one that|the one who|the one",
    "if": "if|whenever",
    "then": "then|, then",
    "too": "too|as well|also|likewise",
    "must": (
        "must|has to|have to|needs to|need to|ought to|in any case|no matter what|insist|insists|force|"
        "require|requires|make sure|ensure|always|definitely|has promised|fix|guarantee|shall|should|"
        "absolutely|is required|be sure|mandatory|compulsory|force in"
    ),
    "may": "may|can|might|is allowed to|are allowed to|want|wants|allowed|allow|permit|permitted",
    "forbid": (
        "leave out|leave at home|exclude|excluded|forbid|forbidden|ban|banned|avoid|keep out|left out|"
        "not allowed|leave behind|stay at home|stays at home|stay home|gets off|off limits|shut|closed"
    ),
    "leave": "leave|leaves|keep",
    "out": "out|at home|behind|off|aside",
    "include": "include|take along|put in|bring along|come along|be on board|pick",
    "set": (
        "set|is now|are now|now|correction|make it|change|changes|update|becomes|from now on|turns out|"
        "actually|gets|is|are|weigh|weighs|costs|needs|adjust|amounts to"
    ),
    "limit_verb": "limit|cap|restrict|capped|limited|restricted|keep",
    "raise": (
        "raise|raises|raised|increase|increases|increased|grow|grows|grew|goes up|go up|went up|rise|rises|"
        "rose|more|up|higher|bump|boost|climb|climbs|lift|upped|gone up"
    ),
    "lower": (
        "lower|lowered|reduce|reduces|reduced|decrease|decreases|decreased|cut|cuts|goes down|go down|"
        "went down|fall|falls|fell|drop|drops|dropped|shrink|shrinks|less|down|fewer|cheaper|gone down"
    ),
    "double": "double|doubles|doubled|twice",
    "halve": "halve|halves|halved",
    "instead": "instead of|rather than|not just|instead",
    "switch_off": (
        "switch off|switched off|turn off|turned off|disable|deactivate|ignore|suspend|don't worry about|"
        "don't care about|never mind|skip|drop|disregard|doesn't matter|does not matter|don't matter|"
        "matters not|relax|lift|pause|pretend"
    ),
    "switch_on": (
        "switch on|switched on|turn on|turn back on|enable|re-enable|re enable|reenable|activate|bring back|"
        "restore|reinstate|on again|back on|again|put back|bring it back|reactivate"
    ),
    "remove": (
        "remove|delete|take out|forget|get rid of|discard|withdraw|cancel|revoke|scrap|forget about|undo"
    ),
    "rule": (
        "rule|constraint|requirement|restriction|condition|limit|limitation|cap|limits|rules|constraints|it|"
        "that|this"
    ),
    "minimize": (
        "minimize|minimise|minimizing|minimising|as little|as few|as low|smallest|lowest|least|cheapest|"
        "minimal"
    ),
    "maximize": (
        "maximize|maximise|maximizing|maximising|as much|as many|as high|highest|largest|maximal|greatest"
    ),
    "objective": "objective|goal|target|aim|optimize|optimise|objective function",
    "solve": (
        "solve|find the best plan|find the optimum|optimize|optimise|run the solver|run it|recompute|"
        "recalculate|compute the plan|find the best solution|best plan|re-solve|resolve|solve it|"
        "find a plan|new plan|calculate the plan"
    ),
    "undo": "undo|take that back|take back|take it back|revert|roll back|go back|reverse",
    "show": (
        "show|display|print|list|see|tell|look at|describe|explain|give me|what is|what are|what's|view"
    ),
    "help": "help|what can you do|how does this work|what can i say|what can i ask",
    "question": (
        "how much|how many|how high|how long|how heavy|how big|which|what|who|when|where|why|how"
    ),
    "for_now": (
        "for now|for a moment|for the moment|temporarily|for the time being|any more|anymore|any longer"
    ),
    "concession": "whatever|no matter|regardless|because|since|as the|even though|although|otherwise",
    "only": "only",
    "aside": "after all",
    "either": "either",
    "unless": (
        "unless|except|except for|only if|only when|as long as|apart from|other than|until|"
        "before|after|first|second|in a row|consecutive|consecutively|apart|differ|differs|difference|"
        "quarter|third|share|fraction|evenly|equally|as many as|the same number|soft|priority|from the data|"
        "out of the data|from the list|off the list|out of the list|if and only if|times as|twice as|half as|"
        "half of|ratio|proportion|average|on average|by the end of|by the start of|by the beginning of|"
        "compare|compared|suppose|supposing|imagine|just asking|only asking"
    ),
}  # fmt: skip

# Marks that change what a sentence says; a reading that leaves one of them unused is not proposed.
IMPORTANT = frozenset(
    {
        "at_most", "at_least", "exactly", "above", "below", "between", "negation", "nobody", "both", "if",
        "forbid", "switch_off", "switch_on", "remove", "minimize", "maximize", "undo", "double", "halve",
        "objective", "instead", "only", "same", "unless",
    }
)  # fmt: skip

_STOP = (
    "a an the of to in on at by for from with and or but be been being is are was were will would shall "
    "should may might can could do does did has have had i we you he she it they them us me my our your his "
    "her its their this that these those there here so as than then also too just please let let's lets "
    "need want like i'd we'd i'll we'll wants get gets give go goes going put all some such one ones up out "
    "off over into onto thing things stuff kind who whom whose which what when week today now ok okay well "
    "hmm oh yes no thanks thank hey hi hello moment really actually possible plan planning case still only "
    "more any every each per"
)
STOP_WORDS = frozenset(_STOP.split())

_RELATED: tuple[str, ...] = (
    "weight weigh heavy heaviest lightest mass load kg",
    "cost price pay wage expense fee charge money salary expensive cheap cheapest dearest rate earn raise",
    "value worth point benefit score useful revenue profit",
    "demand need order require tonnage",
    "capacity hold carry fit load loading contain",
    "make produce production manufacture build output",
    "ship send deliver transport supply move leave shipment delivery haul",
    "take pack load bring choose pick select carry include",
    "work duty staff schedule roster assign job",
    "shift duty",
    "open run use operate",
    "stock inventory",
    "storage store storeroom warehouse",
    "visit serve drive stop go goes reach tour deliver bring",
    "buy eat portion serving consume have",
    "length long longest shortest duration hours time",
    "hour hourly",
    "available availability",
    "person people employee worker staff",
    "vehicle car truck van",
    "maximum max most limit cap upper",
    "minimum min least lower",
    "start begin open",
    "end close finish",
    "total sum overall",
    "city town",
    "distance km kilometre kilometer mile",
)
_NOUNS: tuple[str, ...] = (
    "person people employee worker staff colleague",
    "vehicle car truck van lorry",
    "city town",
)
_UNITS: tuple[str, ...] = (
    "kg kilogram kilograms kilo kilos kilogramme kilogrammes",
    "g gram grams gramme grammes",
    "t tonne tonnes ton tons",
    "h hour hours hourly",
    "min minute minutes",
    "km kilometre kilometres kilometer kilometers",
    "mg milligram milligrams",
    "euro euros eur €",
    "dollar dollars usd $",
    "unit units piece pieces",
    "litre litres liter liters l",
)
_UNIT_OF = {
    form: group.split()[0] for group in _UNITS for word in group.split() for form in (word, stem(word))
}
_UNIT_AT_END = re.compile(r"(?P<comma>,)? in (?P<unit>[^,.()]{1,40})\.?$")
_NOT_UNITS = ("the", "a", "an", "each", "every", "all", "which", "this")
_NOUN_GROUPS = tuple(frozenset(map(stem, group.split())) for group in _NOUNS)
_GROUPS: dict[str, frozenset[int]] = {}
for _number, _group in enumerate(_RELATED):
    for _word in _group.split():
        _GROUPS[stem(_word)] = _GROUPS.get(stem(_word), frozenset()) | {_number}

_DAYS = "monday tuesday wednesday thursday friday saturday sunday"
_MONTHS = "january february march april may june july august september october november december"
_SHORT = {name: name[:3] for name in f"{_DAYS} {_MONTHS}".split()}

# Frequent words that are near some name and yet not a misspelling of it.
_FREQUENT = (
    "about after again against almost along already although always among another answer around away back "
    "because before began begin behind being below best better between book both bring brought call came "
    "change come could course days different does done down during each early easy either else enough "
    "even ever every everything example face fact family far feel fewer find fine first five follow four "
    "free friend from full gave good great half hand happen hard head hear heard held here high hold home "
    "house idea important into just keep kept kind knew know large last late later least leave left less "
    "life light like line little live long look lost love made main make many mean might mind moment "
    "money more most move much must name near never next night nothing notice number often once only open "
    "order other over page paper part past people place plan play point poem possible power present "
    "problem question quite rather read ready really reason rest right road room said same save second "
    "seem seen send sent several shall short show side since site small some something soon sort start "
    "state stay step still stop such sure take talk tell text than that their them then there these they "
    "thing think third those though thought through till time today told took toward town tunnel turn "
    "type under until upon used usually very wait walk wall want water well went were what when where "
    "which while white whole will wish with without word work world would write wrong year yesterday "
    "young your"
)

_OF_VERSIONS = (
    "version versions branch branches original originally redo reset checkout check checks checking history "
    "compare priority previous different difference restore"
)

FUNCTION_WORDS = STOP_WORDS | frozenset(
    word for phrases in PHRASES.values() for word in phrases.replace("|", " ").split()
)
KNOWN_WORDS = (
    FUNCTION_WORDS
    | NUMBER_WORDS
    | frozenset(f"{_FREQUENT} {_OF_VERSIONS}".split())
    | frozenset(_SHORT)
    | frozenset(" ".join(_RELATED + _UNITS).split())
)


def unit(stem_or_word: str) -> str:
    """The short form of a unit, or the word itself."""
    return _UNIT_OF.get(stem_or_word, stem_or_word)


def unit_of(description: str) -> str:
    """What a field is measured in, from the end of its docstring; "" if that does not say."""
    found = _UNIT_AT_END.search(" ".join(description.partition("\n")[0].split()))
    if found is None:
        return ""
    words = found["unit"].split()
    told = found["comma"] is not None and words[0].lower() not in _NOT_UNITS
    return found["unit"] if told or words[0].lower() in _UNIT_OF else ""


def is_unit(word: str) -> bool:
    """Whether a word is a unit of measure."""
    return word in _UNIT_OF


def same_noun(found: str, words: frozenset[str]) -> bool:
    """Whether a stem is another noun for one of these."""
    return any(found in group and group & words for group in _NOUN_GROUPS)


def related(first: str, second: str) -> bool:
    """Whether two stems speak of the same kind of thing."""
    return bool(_GROUPS.get(first, frozenset()) & _GROUPS.get(second, frozenset()))


def calendar_short(word: str) -> str:
    """Three letters for the name of a day or month, else the word itself."""
    return _SHORT.get(word.removesuffix("s"), word)
