// Sends the token to the storage of this stack and shows what it answers.
const form = document.getElementById("try");
const answer = document.getElementById("answer");

function show(text, kind) {
  answer.textContent = text;
  answer.className = kind;
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  show("…", "");
  const headers = { "X-StorageApi-Token": form.elements.token.value.trim() };
  try {
    const response = await fetch(`${form.dataset.storage}/v2/storage/tokens/verify`, { headers });
    const body = await response.json();
    if (response.ok) show(`${body.description}, project ${body.owner.name} (${body.owner.id})`, "right");
    else show(body.error, "wrong");
  } catch {
    show("The storage of this stack does not answer.", "wrong");
  }
});
