"""Names for facts that their writers left unnamed: `archivist:<shelf>:<short>`.

A name is made from the record's own text and nothing else, so that it tells a reader only what they read anyway.
"""

import re
from collections import Counter
from collections.abc import Mapping
from uuid import UUID

from memory.search.words import words_of
from memory.versions import ARCHIVISTS_PREFIX
from orgs.names import canonical

SHELVES: Mapping[str, str] = {
    "deploy": """deploy release rollout rollback staging production canary kubernetes helm docker container
        деплой релиз выкат выкладка откат стенд прод контейнер 部署 发布 上线 回滚 容器 环境""",
    "database": """database postgres postgresql mysql sql schema migration index replica backup table query
        база таблица миграция схема индекс реплика бэкап запрос 数据库 迁移 索引 备份 查询""",
    "style": """style tabs spaces lint linter formatter naming convention indent
        стиль отступ линтер именование табы пробелы 风格 缩进 命名 格式""",
    "testing": """test tests pytest coverage fixture flaky qa тест тесты покрытие тестирование 测试 覆盖""",
    "security": """security auth token password permission role secret encryption tls vulnerability
        безопасность доступ роль токен пароль шифрование 安全 权限 令牌 密码 加密""",
    "api": """api endpoint rest graphql request response webhook header status http
        апи эндпоинт метод ответ 接口 请求 响应""",
    "network": """network dns port proxy firewall timeout latency domain
        сеть порт прокси домен таймаут 网络 端口 代理 域名""",
    "frontend": """frontend css html react vue button page layout browser
        фронтенд кнопка страница верстка браузер 前端 页面 按钮""",
    "bug": """bug error crash exception fix issue fails broken
        ошибка баг сбой падает исправление 错误 缺陷 崩溃 修复 故障""",
    "people": """team meeting owner manager vacation office colleague
        команда встреча отпуск офис коллега отвечает 团队 会议 负责人 同事""",
    "schedule": """deadline schedule weekly daily monday friday date quarter
        срок график расписание неделя понедельник пятница квартал 截止 日程 每周 季度""",
    "money": """price cost budget invoice billing payment tariff
        цена стоимость бюджет счет оплата тариф 价格 成本 预算 发票 付款""",
}
OTHERWISE = "general"
_WORDS_OF_A_NAME = 4
_LONGEST_WORD = 20
_STOP = re.compile(r"[^\w]+")


def name_for(content: str, *, id: UUID) -> str:
    """Return the name of the fact that a text states: its shelf, its first telling words, and a part of its id.

    The part of the id keeps two facts with like words apart.
    """
    words = [word for word, step in words_of(content[:2_000]) if step and len(word) > 1 and not _STOP.search(word)]
    shelf = _shelf(words)
    telling = sorted(dict.fromkeys(words), key=lambda word: (-min(len(word), 8), words.index(word)))
    chosen = sorted(telling[:_WORDS_OF_A_NAME], key=words.index)
    short = "-".join(word[:_LONGEST_WORD] for word in chosen) or "fact"
    return canonical(f"{ARCHIVISTS_PREFIX}{shelf}:{short}-{id.hex[-6:]}")


def _shelf(words: list[str]) -> str:
    found = Counter(shelf for word in words if (shelf := _SHELF_OF.get(word)))
    return found.most_common(1)[0][0] if found else OTHERWISE


_SHELF_OF = {word: shelf for shelf, names in SHELVES.items() for word, step in words_of(names) if step}
