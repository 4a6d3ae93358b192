// A passkey that comes to nothing: the script that asks for it tells the console alone, and the person sees a button that does nothing.
(() => {
  const WORDS = {
    InvalidStateError: "There's already a passkey of yours on this device. Rename or remove it under Manage passkeys.",
    NotAllowedError: "Your browser didn't provide a passkey. Try again, or use another way.",
    NotSupportedError: "This browser or device can't use passkeys. Use another way.",
    SecurityError: "Your browser doesn't allow passkeys at this address. Use another way.",
  };

  const wordsFor = ({ name }) => {
    if (!window.PublicKeyCredential) return WORDS.NotSupportedError;
    return WORDS[name] ?? "The portal couldn't ask for your passkey. Wait a minute, then try again.";
  };

  document.addEventListener("allauth.error", (event) => {
    event.preventDefault();
    document.dispatchEvent(new CustomEvent("toast", { detail: { text: wordsFor(event.detail.exception), tone: "bad" } }));
  });
})();
