"""What is found by which words, judged without a database by asking the two halves of the analysis to meet."""

import pytest

from memory.search.words import LONGEST, Unit, question, quote, rule, tsvector, words_of


def found(asked: str, stored: str) -> int:
    """How many units of a question a stored text has."""
    places: dict[str, set[int]] = {}
    position = 0
    for word, step in words_of(stored):
        position += step
        places.setdefault(word, set()).add(position)
    return sum(_has(unit, places) for unit in question(asked).units)


def _has(unit: Unit, places: dict[str, set[int]]) -> bool:
    if unit.prefix:
        return any(word.startswith(unit.spellings[0][0]) for word in places)
    return any(
        any(all(start + i in places.get(word, ()) for i, word in enumerate(row)) for start in places.get(row[0], ()))
        for row in unit.spellings
    )


CANARY = "订单服务改用蓝绿发布，回滚窗口三十分钟"
ROLLING = "支付服务仍用滚动发布"


@pytest.mark.parametrize("asked", ["蓝绿发布", "订单服务", "回滚", "蓝绿 发布", "窗口", "钟"])
def test_fc04_chinese_words_are_found_inside_an_unspaced_sentence(asked: str) -> None:
    assert found(asked, CANARY) > found(asked, ROLLING)


def test_fc04_two_characters_find_both_and_absent_words_find_nothing() -> None:
    assert (found("发布", CANARY), found("发布", ROLLING)) == (1, 1)
    assert (found("数据库备份", CANARY), found("数据库备份", ROLLING)) == (0, 0)


@pytest.mark.parametrize(
    ("asked", "stored"),
    [
        ("app-staging", "правила лежат в infra/ansible/roles/app-staging/tasks/main.yml"),
        ("main.yml", "правила лежат в infra/ansible/roles/app-staging/tasks/main.yml"),
        (
            "infra/ansible/roles/app-staging/tasks/main.yml",
            "в infra/ansible/roles/app-staging/tasks/main.yml.",
        ),
        ("roles/app-staging", "правила лежат в infra/ansible/roles/app-staging/tasks/main.yml"),
        ("retry_policy", "ошибка в payments.gateway.retry_policy"),
        ("gateway", "ошибка в payments.gateway.retry_policy"),
        ("payments.gateway", "ошибка в payments.gateway.retry_policy"),
        ("db01", "db01.prod.example.org is read-only"),
        ("prod.example.org", "db01.prod.example.org is read-only"),
        ("run-book", "docs at https://wiki.example.org/ops/run-book?page=2"),
        ("wiki.example.org", "docs at https://wiki.example.org/ops/run-book?page=2"),
        ("main.py", r"C:\repo\src\main.py"),
        ("src", r"C:\repo\src\main.py"),
        ("staging", "deploy.staging.method"),
        ("deploy.staging", "deploy.staging.method"),
    ],
)
def test_fc05_a_piece_of_a_path_host_or_module_finds_it(asked: str, stored: str) -> None:
    assert found(asked, stored) > 0


@pytest.mark.parametrize(
    ("asked", "stored"),
    [
        ("gpt-4o", "default model is gpt-4o-mini"),
        ("GPT-4o-mini", "default model is gpt-4o-mini"),
        ("gpt4o", "default model is gpt-4o"),
        ("ADR 0012", "see ADR-0012 before touching billing"),
        ("0012", "see ADR-0012 before touching billing"),
        ("adr-0012", "see ADR-0012 before touching billing"),
        ("adr-12", "see ADR-0012 before touching billing"),
        ("1.2.3", "upgrade to v1.2.3"),
        ("v1.2.3", "upgrade to 1.2.3 now"),
        ("1.2", "upgrade to v1.2.3"),
        ("maxRetry", "max_retry is 5"),
        ("max_retry", "maxRetry is 5"),
        ("max-retry", "set max retry to 5"),
        ("getusername", "call getUserName() first"),
        ("user_name", "call getUserName() first"),
        ("http_request", "HTTPRequest failed"),
        ("--dry-run", "pass --dry-run first"),
        ("dry run", "pass --dry-run first"),
        ("-n", "kubectl -n staging"),
        ("9f2c1ab", "reverted in 9f2c1ab04de77"),
        ("sha256:9f2c1ab", "digest sha256:9f2c1ab04de77"),
        ("0198c0de", "trace 0198c0de-aaaa-7bbb-8ccc-000000000001"),
        (".env", "never commit the .env file"),
        ("5000", "the budget is $5,000 a month"),
        ("8080", "listens on localhost:8080"),
        ("cofounder", "the co-founder left"),
    ],
)
def test_fc12_identifiers_are_found_by_part_and_by_other_spelling(asked: str, stored: str) -> None:
    assert found(asked, stored) > 0


def test_fc12_c_sharp_is_nearer_to_itself_than_to_c() -> None:
    assert found("C#", "rewritten in C# last week") > found("C#", "written in C")
    assert found("C++", "rewritten in C++") > found("C++", "written in C")


@pytest.mark.parametrize(
    ("asked", "stored"),
    [
        ("Артем", "чек-лист релиза ведёт Артём"),
        ("АРТЁМ", "чек-лист релиза ведёт Артём"),
        ("ведет", "чек-лист релиза ведёт Артём"),
        ("чеклист", "чек-лист релиза ведёт Артём"),
        ("выкатка", "выкатку на staging делаем через Ansible"),
        ("выкатки staging", "выкатку на staging делаем через Ansible"),
        ("retry", "retries are idempotent"),
        ("go", "they went home"),
    ],
)
def test_fc18_case_yo_and_word_forms_do_not_matter(asked: str, stored: str) -> None:
    assert found(asked, stored) == len(question(asked).units)


def test_fc50_signs_are_looked_for_literally() -> None:
    assert found("max_retry", "max_retry is 5") == 1
    assert found("max_retry", "maxXretry is 9") == 0
    assert found("100%", "скидка 100% по промокоду") > found("100%", "100 процентов готово")


@pytest.mark.parametrize(
    ("asked", "having", "lacking"),
    [
        ("%", "скидка 100% по промокоду", "100 процентов"),
        ("_", "max_retry", "max retry"),
        ("\\", r"C:\repo", "C:/repo"),
        ("%%%", "50% off", "50 off"),
        ("*", "select * from t", "select all"),
    ],
)
def test_fc50_a_question_of_signs_finds_only_what_holds_them(asked: str, having: str, lacking: str) -> None:
    assert (found(asked, having), found(asked, lacking)) == (1, 0)


@pytest.mark.parametrize("asked", ["", "   ", "...", "?!", "\0", "—"])
def test_fc50_a_question_without_words_or_signs_looks_for_nothing(asked: str) -> None:
    assert question(asked).tsquery == ""


def test_fc55_composed_decomposed_and_full_width_are_one_word() -> None:
    assert found("йод", "и\u0306од") == 1
    assert found("café", "cafe\u0301") == found("cafe", "café") == 1
    assert found("ABC", "ＡＢＣ") == found("file", "ﬁle") == 1


def test_fc58_forty_thousand_words_stay_under_the_limits_of_a_tsvector() -> None:
    text = " ".join(f"{i:032x}" for i in range(40_000))
    made = tsvector({"content": text})
    assert len(made.encode()) < 1_048_575
    assert f"'{0:032x}'" in made


def test_fc58_a_word_of_three_thousand_characters_is_found_by_its_beginning() -> None:
    word = "abcdefghij" * 300
    assert found(word, word) == found(word[:30], word) == 1
    assert max(len(found_word) for found_word, _ in words_of(word)) <= LONGEST


def test_fc58_a_megabyte_without_spaces_is_bounded() -> None:
    made = tsvector({"content": "发布订单服务" * 170_000})
    assert len(made) < 200_000


@pytest.mark.parametrize(
    ("asked", "stored"),
    [
        ("2026-03-12", "agreed on 12 March 2026"),
        ("March 12th", "agreed on 12 марта 2026"),
        ("12 марта 2026", "agreed 2026-03-12"),
        ("2026年3月12日", "agreed on March 12, 2026"),
        ("in March 2026", "agreed 2026-03-12"),
    ],
)
def test_a_date_is_found_however_it_is_written(asked: str, stored: str) -> None:
    assert any(unit.spellings[0][0].startswith("@") for unit in question(asked).units)
    assert found(asked, stored) > 0


def test_the_day_something_was_said_is_one_of_its_words() -> None:
    assert "'@2026-03-12'" in tsvector({"content": "agreed"}, observed_on="2026-03-12")


def test_words_that_only_ask_are_left_out_unless_there_is_nothing_else() -> None:
    assert question("When did Caroline go?").tsquery == "'carolin' | 'go'"
    assert question("Когда выкатка?").tsquery == "'выкатк'"
    assert question("what is it").tsquery != ""


@pytest.mark.parametrize(
    ("asked", "literal"),
    [
        ("max_retry", True),
        ("%", True),
        ("main.yml", True),
        ("0012", True),
        ("deploy", False),
        ("follow-up", False),
    ],
)
def test_a_question_of_identifiers_is_meant_to_the_letter(asked: str, literal: bool) -> None:
    assert question(asked).literal == literal


@pytest.mark.parametrize("word", ["it's", "a\\b", "'", "\\", "a' | 'b", "!x", "<->", ":*"])
def test_no_character_of_a_word_is_an_operator(word: str) -> None:
    inside = quote(word)[1:-1]
    assert inside.replace("''", "").replace("\\\\", "").count("'") == 0


def test_fields_carry_their_weight_and_never_run_into_each_other() -> None:
    made = tsvector({"fact_key": "deploy.method", "content": "deploy now"})
    assert "'deploy':1A,5" in made


def test_fc41_lone_surrogates_and_nul_do_no_harm() -> None:
    assert tsvector({"content": "a\ud800b\0c"})


@pytest.mark.parametrize(
    ("asked", "left"),
    [
        ("List the order in which I brought up aspects of deployment throughout our conversations", "deployment"),
        ("Walk me through the rollback step by step", "rollback"),
        ("Mention ONLY and ONLY three items: backups", "backups"),
        ("Что мы решили про релиз в наших разговорах", "мы решили про релиз"),
        ("在我们的对话中按时间顺序发布", "发布"),
    ],
)
def test_what_only_shapes_the_answer_is_not_looked_for(asked: str, left: str) -> None:
    assert question(asked) == question(left)


def test_an_order_that_is_a_thing_is_looked_for() -> None:
    assert found("Which order of services is used in production?", "the order of services") == 2
    assert question("in our conversations").units


@pytest.mark.parametrize(
    ("asked", "stored"),
    [
        ("How do I mark up a page?", "Always use semantic tags."),
        ("Could you write the release notes?", "I prefer short bullets rather than prose."),
        ("Как правильно выкатывать на стейджинг?", "Стейджинг выкатываем только через Ansible, никогда вручную."),
        ("Помоги настроить бэкапы", "Вместо cron используй таймеры systemd."),
        ("请写发布说明", "发布说明始终用英文"),
        ("我应该怎么部署?", "务必先跑测试"),
    ],
)
def test_a_request_looks_for_rules_and_a_record_has_them(asked: str, stored: str) -> None:
    assert question(asked).rule
    assert found(asked, stored) == 1 + sum(unit in question(stored).units for unit in question(asked).sought)


@pytest.mark.parametrize(
    "asked",
    [
        "What is the address of the office?", "When did we always deploy?", "How did I set up the server?",
        "Did she teach herself how to play?", "Which games does she recommend?", "How does the cache work?",
        "Как регулируется деятельность фармацевтов?", "Кто решает, как использовать землю?", "Когда я просил помочь?",
        "申请成为会员必须年满多少岁?", "她建议用什么?", "我们讨论过怎么部署吗?", "deploy.staging",
    ],
)  # fmt: skip
def test_a_question_about_what_is_or_was_asks_for_no_rule(asked: str) -> None:
    assert not question(asked).rule


def test_the_mark_of_a_rule_brings_nothing_in() -> None:
    asked = question("How do I mark up a page?")
    assert rule().tsquery not in asked.tsquery
    assert asked.units == (*asked.sought, rule())
