// More files than one request may carry are told of before they are sent: <input type="file" multiple data-most="100">.
(() => {
  document.addEventListener("change", (event) => {
    const input = event.target;
    if (!input.matches?.("input[type=file][data-most]")) return;
    const most = Number(input.dataset.most);
    const chosen = input.files.length;
    input.setCustomValidity(
      chosen > most ? `These are ${chosen} files; at most ${most} can be sent at a time. Choose fewer, then the others.` : ""
    );
    input.reportValidity();
  });
})();
