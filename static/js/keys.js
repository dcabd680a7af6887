// Whether a key pressed is one for the page: not with others held down, and not meant for what has the focus.
export function isForPage(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return false;
  return !event.target.closest("input, select, textarea, [contenteditable]");
}
