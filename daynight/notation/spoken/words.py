"""Words that stand in many ways of saying something: `{casts}` for `casts`, `is casting`, `tries to cast`.

`WORDS` are regular expressions by the names that rows have in braces. `TAILS` is what people say behind the card that
somebody casts; it is kept as the note. No tail tells of another happening.
"""

from __future__ import annotations

import re

NUMBER = "[0-9]{1,3}|zero|one|two|three|four|five|six|seven|eight|nine|ten|a couple of|an?"
NOMBRE = "[0-9]{1,3}|une?|deux|trois|quatre|cinq|six|sept|huit|neuf|dix"

WORDS = {
    "casts": r"(?:(?:is|'s|has|just|then|also|now|quickly|simply|tries to|wants to|decides to|would like to|responds? and|"
    r"goes ahead and|gets to|manages to|will|may|can) )*(?:re-?)?cast(?:s|ing|ed)?(?: the spell| the card)?",
    "says": r"(?:says?|said|claims?|claimed|thinks?|thought|insists?|believes?|argues?|maintains?|swears?|states?|is sure)",
    "it": r"it(?:'s| is| was| became| has become| becomes| turned| should be| must be)(?: still| already| now| again)?",
    "number": f"(?:{NUMBER})",
    "because": "(?:because of|with|due to|from|by|thanks to|via|off|through)",
    "onto": r"(?: (?:(?:onto|on|to) the (?:battlefield|board|table)|into play|tapped|untapped|under (?:his|her|their) control))",
    "adjectives": r"(?:[0-9]+/[0-9]+ )?(?:(?:white|blue|black|red|green|colorless|tapped|attacking|legendary|flying) )*",
    "lance": r"(?:(?:vient de|veut|essaie de|tente de|va|peut) )?(?:(?:re)?lance[rz]?|a (?:re)?lancé|(?:re)?caste|a casté|joue"
    r"|a joué|jette)(?: le sort| la carte)?",
    "dit": "(?:dit|affirme|pense|prétend|croit|soutient|déclare|assure|maintient|insiste|a dit)",
    "fait": r"(?:il fait|c'est|il faisait|c'était|on est)(?: toujours| encore| déjà| maintenant)?(?: la| le)?",
    "nombre": f"(?:{NOMBRE})",
    "cause": "(?:à cause (?:de |d')|avec |par |grâce à |via |à cause (?=du )|(?=du |de ))",
    "jeu": "(?: (?:sur le champ de bataille|en jeu|sur la table))",
    "tonaeru": "(?:唱える|唱えた|唱えます|唱えました|唱えている|使う|使った|使います|使いました|撃つ|撃った|撃ちます|打つ|打った"
    "|キャスト(?:する|した|します|しました)?|詠唱(?:する|した)?)",
    "iu": "(?:言う|言った|言っている|言います|言いました|言ってる|主張(?:する|した|している)?|思う|思っている|述べる|述べた|答える)",
    "suru": "(?:する|した|します|しました|している)",
}
"""Words by the name that a row has for them; they are not captured."""

TAILS = (
    r"(?:and |but |which |that |so )*(?:(?:it|that|he|she|they|spell) )?(?:resolves?|gets through|goes through|is fine|fizzles)"
    r"(?: .+)?",
    r"(?:and |but )*(?:(?:it|he|she|they) )?(?:draws?|scr(?:ys?|ies)|surveils?|mills?|gains?|deals?|searches|fetch(?:es)?"
    r"|shuffles?|finds?|gets? .+ cards?|keeps?)(?: .+)?",
    r"(?:and |but )?\w+ (?:counters|answers|lets|allows|has no response to) (?:it|that|this)(?: .+)?",
    r"(?:but |and )?(?:there(?:'s| is| are) )?no (?:response|responses|reaction)(?: .+)?",
    r"(?:for|paying) .+",
    r"(?:at|on|in|during|before|after) (?:the |his |her |their |my )?(?:\w+'s )?(?:end of turn|end step|upkeep|draw step"
    r"|(?:first |second )?main(?: phase)?|combat|beginning of combat|instant speed|sorcery speed|turn|declare blockers"
    r"|declare attackers|blocks|attacks|untap step|beginning of .+|end of .+)",
    r"(?:in response|in reply)(?: to .+)?|off the top(?: of .+)?|kicked|overloaded|unkicked|foretold|face down",
    r"(?:with|using) (?:kicker|flash|.*mana|.*lands?|.*backup|buyback|entwine|overload|convoke|delve|x.*[0-9]+)",
    r"as (?:(?:his|her|their|an?|the) )?(?:[a-z0-9-]+ )*(?:drop|play|spell|follow-up|answer|land|commander|blocker|attacker"
    r"|turn|card)",
    r"(?:targeting|naming|choosing|on|onto|into|to kill|to save|to protect|to draw|to find|to get|hitting|killing) .+",
    r"again|too|as well|this turn|first|now|instead|x ?= ?[0-9]+|for x ?= ?[0-9]+",
    r"(?:et |mais |puis |qui )*(?:(?:il|elle|ça|le sort) )?(?:passe|résout|se résout|est résolue?|pioche|regarde|cherche"
    r"|mélange|gagne|inflige|fait .+ (?:blessures|points))(?: .+)?",
    r"(?:et |mais )?(?:\w+ )(?:le |la |l')(?:contre|contrecarre|annule|laisse passer)(?: .+)?",
    r"(?:pour|en payant|en engageant|avec) (?:[0-9]+|une?|deux|trois|quatre|cinq|six|rien|x)(?: manas?| .*mana.*)?",
    r"gratuitement|sans payer .+|pour rien|en réponse(?: à .+)?|en vitesse éphémère|encore|aussi|à nouveau|de nouveau"
    r"|ce tour(?:-ci)?|d'abord|face cachée|kické|surchargé",
    r"(?:à|au|en|pendant|durant|dans|avant|après) (?:la |le |l'|son |sa |leur )?(?:fin (?:du|de) .+|étape .+|entretien(?: .+)?"
    r"|pioche|phase .+|combat|tour(?: .+)?|début .+|milieu .+|déclaration .+)",
    r"(?:sur|ciblant|en ciblant|pour tuer|pour sauver|pour protéger|pour piocher|pour chercher|en nommant|en choisissant"
    r"|dans la (?:tête|face|tronche)) .+",
    r"comme .+|depuis (?:sa|la) main|de sa main",
)
"""What is said behind a card that is cast."""

ANOTHER = re.compile(
    r"(?:re-?)?casts?\b|\bplays?\b|\benters?\b|\bdies?\b|\bsac|\bexile|\bdestroy|\bnight\b|\btransform|\bcop(?:y|ies)\b|\bflips?\b"
    r"|\blance|\bjoue\b|\bmeur(?:t|ent)\b|\barrive|\bexile|\bdétrui|\bnuit\b|\bjour\b|\bconcède|\bconcedes?\b|\bbecomes?\b"
    r"|\bmakes? it\b|\bcopie",
    re.IGNORECASE,
)
"""What a tail has that is another happening, and no tail."""

FILLERS = re.compile(
    r"(?:(?:ok|okay|so|well|now|then|and then|alright|right|and|afterwards?|later|finally|gg|hmm+|um+|uh|also|anyway|after that"
    r"|next,|first,|alors|puis|ensuite|bon|donc|et|après|enfin|d'abord|eh bien|voilà|finalement|maintenant,?)(?:[,.!:]? +|[,:] *)"
    r"|(?:次に|その後|それから|では|じゃあ|さて|まず|最後に|そして|それで|続いて)[、,]? *)+",
    re.IGNORECASE,
)
"""What people say before a happening, and which says nothing."""

BEFORE = re.compile(
    r"in response(?: to (?:it|that|this))? +|(?:in response(?: to [^,:]+)?|in reply|at instant speed|with (?:it|that|[^,:]+) on the stack"
    r"|(?:in|on|during|at|before|after) (?:the |his |her |their |my )?(?:[^\W\d]\w*'s )?(?:end of turn|end step|upkeep|draw step"
    r"|(?:first |second )?main(?: phase)?|combat|beginning of combat|turn|declare (?:blockers|attackers)|blocks|attacks)"
    r"|(?:first |second |pre-?combat |post-?combat )?main(?: phase)?|upkeep|end step|end of turn"
    r"|en réponse(?: à [^,:]+)?|(?:pendant|durant|à|au) (?:la |le |l'|son |sa )?(?:fin (?:du|de) [^,:]+|étape [^,:]+"
    r"|entretien(?: [^,:]+)?|pioche|phase [^,:]+|combat|tour(?: [^,:]+)?|début [^,:]+)"
    r"|(?:première |seconde |deuxième )?phase principale|entretien|étape de fin)[,:] +"
    r"|(?:(?:それに|これに|[^、]+に)?対応して|(?:アップキープ|メイン(?:・?フェイズ)?|終了ステップ|エンド|エンドステップ|戦闘(?:中|後|前)?"
    r"|ターン終了時|自分のターン|相手のターン)(?:に|で|中に)?)[、,]? *",
    re.IGNORECASE,
)
"""When something happens, said before it: `in response, `."""
