// Shortcuts of public pages and the API reference: "?" opens the list, "g" and a letter a page in it.
const SINGLE_KEYS = 'teehouse:single-keys';
let waitingSince = -Infinity;

addEventListener('keydown', (event) => {
  const list = document.getElementById('keys');
  const { key, target, timeStamp } = event;
  // Ignores repeats of a key that is held down.
  if (!list || event.repeat || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented)
    return;
  if (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) && target.type !== 'checkbox') return;
  if (document.getElementById('single-keys')?.checked === false) return;
  const isWaiting = timeStamp - waitingSince < 1_500;
  waitingSince = key === 'g' && !isWaiting ? timeStamp : -Infinity;
  const link = isWaiting && /^[a-z]$/.test(key) && list.querySelector(`a[data-key="${key}"]`);
  if (link) location.assign(link.href);
  else if (key === '?') list.togglePopover(true);
});

addEventListener('DOMContentLoaded', () => {
  const box = document.getElementById('single-keys');
  if (!box) return;
  try {
    box.checked = localStorage.getItem(SINGLE_KEYS) !== 'off';
    box.addEventListener('change', () => localStorage.setItem(SINGLE_KEYS, box.checked ? 'on' : 'off'));
  } catch {
    // Without storage, the choice lasts as long as the page.
  }
});
