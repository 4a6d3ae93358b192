// What is more than one request may carry is told of before it is sent. All inputs of a form go together:
// <input type="file" multiple data-most="100" data-most-bytes="50000000">.
(() => {
  const LIMITED = "input[type=file][data-most-bytes]";
  const megabytes = (bytes) => `${Math.ceil(bytes / 1024 ** 2)} MB`;

  function objection(files, most, mostBytes) {
    if (files.length > most) {
      return `You chose ${files.length} files; at most ${most} can be sent at a time. Send some first, then the rest.`;
    }
    const bytes = files.reduce((sum, file) => sum + file.size, 0);
    if (bytes <= mostBytes) return "";
    if (files.length === 1) return `This file is ${megabytes(bytes)}; at most ${megabytes(mostBytes)} can be sent.`;
    const limit = `at most ${megabytes(mostBytes)} can be sent at a time`;
    return `These ${files.length} files are ${megabytes(bytes)} together; ${limit}. Send some first, then the rest.`;
  }

  document.addEventListener("change", (event) => {
    const input = event.target;
    if (!input.matches?.(LIMITED)) return;
    const inputs = [...input.form.querySelectorAll(LIMITED)];
    const files = inputs.flatMap((each) => [...each.files]);
    for (const each of inputs) each.setCustomValidity("");
    input.setCustomValidity(objection(files, Number(input.dataset.most ?? Infinity), Number(input.dataset.mostBytes)));
    input.reportValidity();
  });
})();
