"""The exported test class for XMage compiles against stubs of the part of XMage's test framework that it uses.

| promise | test |
| --- | --- |
| it compiles without an error or warning | test_compiles |
| with a call of a method that no stub declares, it does not compile | test_stand_ins |

The stubs below only declare the called methods, without XMage's behaviour; `runs.json` has the real runs.
"""

import shutil
import subprocess

import pytest

from daynight.conformance.cases import suite
from daynight.conformance.exporting import exported

STAND_INS = {
    "mage/constants/PhaseStep": "public enum PhaseStep { UPKEEP, DRAW, PRECOMBAT_MAIN, POSTCOMBAT_MAIN, END_TURN }",
    "mage/constants/Zone": "public enum Zone { BATTLEFIELD, HAND, GRAVEYARD, LIBRARY, EXILED }",
    "mage/players/Player": "public interface Player { }",
    "mage/game/permanent/Permanent": "public interface Permanent { boolean isPhasedIn(); String getName(); }",
    "mage/game/Battlefield": """public class Battlefield {
        public java.util.Collection<mage.game.permanent.Permanent> getAllPermanents() { return null; } }""",
    "mage/game/Game": """public interface Game {
        void setDaytime(boolean daytime); boolean hasDayNight(); boolean checkDayNight(boolean daytime);
        Battlefield getBattlefield(); }""",
    "org/junit/Test": "public @interface Test { }",
    "org/junit/Assert": """public class Assert {
        public static void assertEquals(String message, Object expected, Object actual) { }
        public static void assertTrue(String message, boolean condition) { } }""",
    "org/mage/test/player/TestPlayer": "public abstract class TestPlayer implements mage.players.Player { }",
    "org/mage/test/serverside/base/CardTestPlayerBase": """
        import mage.constants.*; import mage.players.Player; import org.mage.test.player.TestPlayer;
        public abstract class CardTestPlayerBase {
        protected TestPlayer playerA; protected TestPlayer playerB; protected mage.game.Game currentGame;
        public void addCard(Zone zone, TestPlayer player, String card) { }
        public void addCard(Zone zone, TestPlayer player, String card, int count) { }
        public void castSpell(int turn, PhaseStep step, TestPlayer player, String card) { }
        public void castSpell(int turn, PhaseStep step, TestPlayer player, String card, Player target) { }
        public void castSpell(int turn, PhaseStep step, TestPlayer player, String card, String target) { }
        public void castSpell(int turn, PhaseStep step, TestPlayer player, String card, String target, String spell) { }
        public void playLand(int turn, PhaseStep step, TestPlayer player, String card) { }
        public void activateAbility(int turn, PhaseStep step, TestPlayer player, String ability) { }
        public void activateAbility(int turn, PhaseStep step, TestPlayer player, String ability, String target) { }
        public void skipInitShuffling() { }
        public void waitStackResolved(int turn, PhaseStep step) { }
        public void setChoice(TestPlayer player, String choice) { }
        public void setChoice(TestPlayer player, boolean choice) { }
        public void setStrictChooseMode(boolean enable) { }
        public void setStopAt(int turn, PhaseStep step) { }
        public void execute() { }
        public void assertLife(Player player, int life) { }
        public void assertPermanentCount(Player player, String card, int count) { } }""",
}


@pytest.fixture
def compiled(tmp_path):
    """A function that compiles a test class with the stubs; it returns the compiler's messages, empty on success."""
    compiler = shutil.which("javac")
    if compiler is None:
        pytest.skip("no javac here (Debian: apt install default-jdk-headless)")
    for name, text in STAND_INS.items():
        package, _sign, _class = name.rpartition("/")
        place = tmp_path / f"{name}.java"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(f"package {package.replace('/', '.')};\n{text}\n", encoding="utf-8")

    def run(text):
        place = tmp_path / "DaynightConformanceTest.java"
        place.write_text(text, encoding="utf-8")
        how = ["-Xlint:all", "-Werror", "-encoding", "UTF-8", "-d", tmp_path / "out"]
        command = [compiler, *how, *tmp_path.rglob("*.java")]
        ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
        assert (ran.returncode == 0) is (ran.stderr == "")
        return ran.stderr

    return run


def written():
    files, _left_out = exported(suite(), "xmage")
    return files["DaynightConformanceTest.java"].decode()


@pytest.mark.slow
def test_compiles(compiled):
    assert compiled(written()) == ""


@pytest.mark.slow
def test_stand_ins(compiled):
    assert "cannot find symbol" in compiled(written().replace("execute();", "executeAll();", 1))
