# An engine's own log, retold as a record: a line of JSON for each line of the log, whose fields are between tabs.
#
#     awk -f recording.awk engine.log > its-game.jsonl

BEGIN { FS = "\t" }

function quoted(text) {
    gsub(/\\/, "\\\\", text)
    gsub(/"/, "\\\"", text)
    return "\"" text "\""
}

$1 == "game" {
    players = ""
    for (field = 3; field <= NF; field++) players = players (field > 3 ? ", " : "") quoted($field)
    printf "{\"type\": \"game-started\", \"format\": 1, \"game\": %s, \"players\": [%s]}\n", quoted($2), players
}
$1 == "turn" {
    printf "{\"type\": \"turn-began\", \"turn\": %d, \"active\": [%s]}\n", $2, quoted($3)
    print "{\"type\": \"step-began\", \"step\": \"untap\"}"
}
$1 == "cast" { printf "{\"type\": \"spell-cast\", \"player\": %s, \"card\": %s}\n", quoted($2), quoted($3) }
$1 == "enters" {
    printf "{\"type\": \"permanents-entered\", \"permanents\": [{\"id\": %s, \"card\": %s, \"controller\": %s}]}\n", \
        quoted($4), quoted($3), quoted($2)
}
$1 == "state" { printf "{\"type\": \"designation-claimed\", \"designation\": %s, \"by\": \"my engine\"}\n", quoted($2) }
$1 == "face" {
    printf "{\"type\": \"face-claimed\", \"permanent\": %s, \"face\": %s, \"by\": \"my engine\"}\n", quoted($2), quoted($3)
}
