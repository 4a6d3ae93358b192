"""Platform-api 4.5.1, 4.5.5, 4.5.7, 4.5.8, 4.5.11, 4.5.12: settings, documents, questions, subprocessors, chatbot, sections."""

import io
from typing import Any

import pytest

from tests.sandbox.platform import Platform

PNG = b"\x89PNG synthetic"


def send(platform: Platform, method: str, path: str, status: int = 200, **body: Any) -> Any:
    """Call below the Trust Center with a JSON body; return the answer's."""
    answer = platform.call(method, platform.trust_center(path), json=body)
    assert answer.status_code == status, answer.text
    return answer.json if answer.data else None


def everything(platform: Platform, path: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = platform.get(platform.trust_center(path))["results"]
    return found


def refused(platform: Platform, method: str, path: str, **body: Any) -> list[str]:
    """Call with a body that does not fit; return what is wrong with it."""
    return [*send(platform, method, path, 400, **body)["errors"]]


def upload(platform: Platform, path: str, name: str, part: str = "file", **fields: str) -> Any:
    data = {part: (io.BytesIO(PNG), name, "image/png")} | fields
    return platform.call("POST", platform.trust_center(path), data=data)


def remove(platform: Platform, path: str) -> None:
    assert platform.call("DELETE", platform.trust_center(path)).status_code == 204


def test_settings_change_only_where_they_are_named(platform: Platform) -> None:
    before = platform.get(platform.trust_center())
    platform.sandbox.clock.advance(60)
    after = send(platform, "PATCH", "", title=None, isPublic=False, bannerSetting={"setting": "MINIMAL", "startColor": "#fff"})
    assert after == before | {
        "title": None,
        "isPublic": False,
        "bannerSetting": {"setting": "MINIMAL", "startColor": "#fff", "endColor": None},
        "updatedDate": after["updatedDate"],
    }
    assert after["updatedDate"] > before["updatedDate"]
    send(platform, "PATCH", "", customTheme={"primary": "#123456"})
    assert platform.get(platform.trust_center())["customTheme"] == {"primary": "#123456", "secondary": None}
    assert send(platform, "PATCH", "", customTheme={})["customTheme"] == {"primary": None, "secondary": None}


def test_settings_refuse_what_cannot_be_written(platform: Platform) -> None:
    assert refused(platform, "PATCH", "", customDomain="x.example") == ["body.customDomain"]
    assert refused(platform, "PATCH", "", bannerSetting={}) == ["body.bannerSetting.setting"]
    assert refused(platform, "PATCH", "", customTheme=None) == ["body.customTheme"]
    without_colour = {"setting": "GRADIENT", "startColor": None}
    assert refused(platform, "PATCH", "", bannerSetting=without_colour) == ["body.bannerSetting.startColor"]
    assert refused(platform, "PATCH", "", bannerSetting={"setting": "CUSTOM_IMAGE"}) == ["body.bannerSetting.setting"]
    assert refused(platform, "PATCH", "", controlVisibilityMode="ALL") == ["body.controlVisibilityMode"]


def test_a_favicon_needs_a_custom_domain(platform: Platform) -> None:
    assert upload(platform, "/favicon", "icon.png", part="favicon").json == {"isSuccessful": True}
    assert "body.favicon" in upload(platform, "/favicon", "icon.png").json["errors"]
    trust_center = platform.get(platform.trust_center())
    platform.sandbox.objects.save(platform.tenant.id, "trust-centers", trust_center | {"customDomain": None})
    assert upload(platform, "/favicon", "icon.png", part="favicon").status_code == 422


def test_a_document_is_uploaded_changed_and_deleted(platform: Platform) -> None:
    answer = upload(platform, "/resources", "diagram.png", title="Diagram", isPublic="true", description="Of the network")
    made = answer.json
    assert (answer.status_code, made["isPublic"], made["mimeType"]) == (201, True, "image/png")
    assert (made["fileName"], made["description"]) == ("diagram.png", "Of the network")
    path = f"/resources/{made['id']}"
    assert platform.call("GET", platform.trust_center(f"{path}/media")).data == PNG
    platform.sandbox.clock.advance(60)
    assert refused(platform, "PATCH", path, description=None) == ["body.description"]
    changed = send(platform, "PATCH", path, isPublic=False, description="")
    assert changed == made | {"isPublic": False, "description": "", "updatedDate": changed["updatedDate"]}
    assert changed in everything(platform, "/resources")
    remove(platform, path)
    assert changed not in everything(platform, "/resources")


def test_a_document_needs_a_file_a_title_and_a_decision_who_sees_it(platform: Platform) -> None:
    assert {*upload(platform, "/resources", "x.png").json["errors"]} == {"body.title", "body.isPublic"}
    assert [*upload(platform, "/resources", "x.png", title="X", isPublic="yes").json["errors"]] == ["body.isPublic"]
    answer = platform.call("POST", platform.trust_center("/resources"), data={"title": "X", "isPublic": "true"})
    assert [*answer.json["errors"]] == ["body.file"]


@pytest.mark.parametrize(
    ("kind", "name"), [("resource-categories", "categoryIds"), ("control-categories", "orderedCategoryIds")]
)
def test_categories_stand_in_the_order_that_was_sent(platform: Platform, kind: str, name: str) -> None:
    made = send(platform, "POST", f"/{kind}", name="New")
    before = everything(platform, f"/{kind}")
    assert before[-1] == made
    wanted = [category["id"] for category in reversed(before)]
    assert send(platform, "PUT", f"/{kind}/order", **{name: wanted}) == {"results": before[::-1]}
    assert everything(platform, f"/{kind}") == before[::-1]
    for wrong in (wanted[:-1], [*wanted, wanted[0]]):
        assert refused(platform, "PUT", f"/{kind}/order", **{name: wrong}) == [f"body.{name}"]
    send(platform, "PUT", f"/{kind}/order", 422, **{name: [*wanted[:-1], "unknown"]})


def test_a_resource_category_is_renamed_and_deleted(platform: Platform) -> None:
    made = send(platform, "POST", "/resource-categories", name="New")
    changed = send(platform, "PATCH", f"/resource-categories/{made['id']}", name="Newer")
    assert changed == {"id": made["id"], "name": "Newer"}
    assert changed in everything(platform, "/resource-categories")
    remove(platform, f"/resource-categories/{made['id']}")
    assert changed not in everything(platform, "/resource-categories")


def test_a_question_shows_its_category_as_it_is_now(platform: Platform) -> None:
    category = send(platform, "POST", "/faq-categories", name="Law")
    texts = {"question": "Whose law?", "answer": "Ours."}
    made = send(platform, "POST", "/faqs", 201, **texts, categoryId=category["id"])
    path = platform.trust_center(f"/faqs/{made['id']}")
    assert made == texts | {"id": made["id"], "category": category}
    send(platform, "PATCH", f"/faq-categories/{category['id']}", name="Courts")
    assert platform.get(path)["category"] == {"id": category["id"], "name": "Courts"}
    assert send(platform, "PATCH", f"/faqs/{made['id']}", question="Whose?", answer="Ours.")["category"] is not None
    remove(platform, f"/faq-categories/{category['id']}")
    assert platform.get(path) == texts | {"id": made["id"], "question": "Whose?", "category": None}


def test_a_question_can_leave_its_category(platform: Platform) -> None:
    faq = next(each for each in everything(platform, "/faqs") if each["category"])
    texts = {"question": faq["question"], "answer": faq["answer"]}
    assert send(platform, "PATCH", f"/faqs/{faq['id']}", **texts, categoryId=None)["category"] is None
    assert refused(platform, "PATCH", f"/faqs/{faq['id']}", question="New?") == ["body.answer"]
    send(platform, "PATCH", f"/faqs/{faq['id']}", 422, **texts, categoryId="unknown")


def test_a_subprocessor_keeps_its_name_and_address(platform: Platform) -> None:
    made = send(platform, "POST", "/subprocessors", 201, name="Hostwell", url="https://hostwell.example/")
    assert made == {
        "id": made["id"], "name": "Hostwell", "url": "https://hostwell.example/",
        "description": None, "location": None, "purpose": None,
    }  # fmt: skip
    path = f"/subprocessors/{made['id']}"
    changed = send(platform, "PATCH", path, purpose="Hosting", location=None)
    assert platform.get(platform.trust_center(path)) == changed == made | {"purpose": "Hosting"}
    assert {*refused(platform, "PATCH", path, name="Other", url="x")} == {"body.name", "body.url"}


def test_conversations_are_found_by_their_words_and_read_in_order(platform: Platform) -> None:
    path = platform.trust_center("/chatbot/conversations")
    [found] = platform.data(path, searchString="SAML")
    messages = everything(platform, f"/chatbot/conversations/{found['id']}")
    assert messages[0]["message"] == found["firstMessage"]
    assert len(messages) == found["numMessages"] == 4
    assert [message["role"] for message in messages] == ["USER", "ASSISTANT"] * 2
    assert [message["createdAt"] for message in messages] == sorted(message["createdAt"] for message in messages)
    documents = {resource["id"] for resource in everything(platform, "/resources")}
    assert messages[1]["references"] and {*messages[1]["references"]} <= documents
    assert platform.data(path, searchString="nobody asked this") == []


def test_a_framework_has_a_standard_or_is_the_tenants_own(platform: Platform) -> None:
    made = send(platform, "POST", "/compliance-frameworks", 201, name="TISAX", standard="tisax2027")
    path = f"/compliance-frameworks/{made['id']}"
    changed = send(platform, "PATCH", path, standard=None, description="Ours")
    assert changed == {"id": made["id"], "name": "TISAX", "standard": None, "description": "Ours"}
    assert platform.get(platform.trust_center("/compliance-frameworks"))["isSectionVisible"] is True
    assert changed in everything(platform, "/compliance-frameworks")
    assert refused(platform, "PATCH", path, standard="iso1") == ["body.standard"]
    assert upload(platform, f"{path}/badge", "badge.png").json == {"isSuccessful": True}
    assert platform.sandbox.objects.upload_of(platform.tenant.id, made["id"]) == (PNG, "image/png")
    remove(platform, path)
    assert changed not in everything(platform, "/compliance-frameworks")


def test_data_collected_is_replaced_as_a_whole(platform: Platform) -> None:
    rows = [{"dataCollected": "Names", "status": "COLLECTED"}, {"dataCollected": "Blood types", "status": "HIDDEN"}]
    send(platform, "PUT", "/data-collected", dataCollected=rows, dataCollectedHeading="What we keep")
    assert everything(platform, "/data-collected") == rows
    assert refused(platform, "PUT", "/data-collected", dataCollected=[rows[0] | {"status": "MAYBE"}]) == [
        "body.dataCollected.$0.status"
    ]
    answered = send(platform, "PUT", "/data-collected", dataCollected=[])
    assert answered == platform.get(platform.trust_center("/data-collected")) == {"results": []}, "the heading is set only"
    assert everything(platform, "/data-collected") == []


def test_videos_are_replaced_and_come_from_two_places(platform: Platform) -> None:
    videos = [{"url": "https://www.youtube.com/watch?v=1", "title": "One"}, {"url": "https://vimeo.com/2", "title": "Two"}]
    for sent in (videos, videos[1:]):
        shown = send(platform, "PUT", "/videos", videos=sent)["results"]
        assert shown == [video | {"description": None} for video in sent]
    for url in ("https://vimeo.com.example/1", "http://vimeo.com/1", "https://video.example/1"):
        assert refused(platform, "PUT", "/videos", videos=[{"url": url, "title": "X"}]) == ["body.videos.$0.url"]
