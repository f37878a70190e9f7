from decision_ai.client.version_info import BranchInfo, VersionHistory, VersionInfo
from decision_ai.solving.findings import IncompatiblePart


def version(number: int, **fields: object) -> VersionInfo:
    plain = {
        "id": f"v{number}",
        "number": number,
        "parent": None,
        "created_at": 1,
        "author": "assistant",
        "approver": "owner",
        "sentence": "",
        "summary": "",
        "changes": (),
        "opt_input_data_id": "d",
        "hash": "h",
    }
    return VersionInfo.model_validate(plain | fields)


def test_a_history_reads_like_a_list_of_what_was_said() -> None:
    left_out = IncompatiblePart(kind="constraint", id="cap", reason="no")
    history = VersionHistory(
        [
            version(0),
            version(1, summary="added constraint at_most_4", sentence="at most <4>", is_head=True),
            version(2, summary="changed the data", incompatible=[left_out]),
        ]
    )
    assert repr(history).splitlines() == [
        "0. the model as it was opened",
        '1. added constraint at_most_4 ("at most <4>") ← present',
        "2. changed the data [leaves out cap]",
    ]
    assert history[1].number == 1
    assert "at most &lt;4&gt;" in history._repr_html_()


def test_a_branch_says_where_it_ends() -> None:
    branch = BranchInfo(name="main", tip="v1", number=1, is_present=True)
    assert str(branch) == "main: version 1 ← present"
