import { useEffect, useEffectEvent, useState } from 'react';

const DEBOUNCE_MS = 250;

/**
 * Text of a search box whose query is in the address. It is sent when typing pauses, without surrounding spaces; an
 * empty one is sent as undefined. When the address changes elsewhere (Back, a removed chip), the text follows; its own
 * updates don't undo typing.
 */
export function useTypedSearch(
  query: string | undefined,
  send: (query: string | undefined) => void,
): [string, (text: string) => void] {
  const [typed, setTyped] = useState(query ?? '');
  const [sent, setSent] = useState(query);
  const [seen, setSeen] = useState(query);
  if (seen !== query) {
    setSeen(query);
    if (query !== sent) setTyped(query ?? '');
    setSent(query);
  }
  const wanted = typed.trim() === '' ? undefined : typed.trim();
  const isSent = wanted === sent || typed === sent;
  const onPause = useEffectEvent(() => {
    setSent(wanted);
    send(wanted);
  });
  useEffect(() => {
    if (isSent) return;
    const timer = setTimeout(() => onPause(), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [typed, isSent]);
  return [typed, setTyped];
}
