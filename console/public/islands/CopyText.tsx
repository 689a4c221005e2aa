import { useRef, useState } from 'react';
import { copyText } from '../../ui/controls/copyText';
import site from '../site.module.css';

const WORDS = { idle: 'Copy', copied: 'Copied', refused: 'Select and copy' };

/** Copies the adjacent code, so that the page doesn't contain the text twice. */
export function CopyText({ what }: { what: string }) {
  const [state, setState] = useState<keyof typeof WORDS>('idle');
  const button = useRef<HTMLButtonElement>(null);
  async function copy(): Promise<void> {
    const code = button.current?.closest('[data-copied]')?.querySelector('pre, code');
    const isDone = await copyText(code?.textContent ?? '');
    setState(isDone ? 'copied' : 'refused');
    setTimeout(() => setState('idle'), 2000);
  }
  return (
    <button
      ref={button}
      type="button"
      className={`${site.quiet} ${site.small} ${site.scripted}`}
      aria-label={`${WORDS[state]}: ${what}`}
      onClick={() => void copy()}
    >
      <span aria-live="polite">{WORDS[state]}</span>
    </button>
  );
}
