import CircleXIcon from 'lucide-react/icons/circle-x';
import CircleCheckIcon from 'lucide-react/icons/circle-check';
import CircleIcon from 'lucide-react/icons/circle';
import CircleQuestionMarkIcon from 'lucide-react/icons/circle-question-mark';
import CircleMinusIcon from 'lucide-react/icons/circle-minus';
import CircleStopIcon from 'lucide-react/icons/circle-stop';
import ShieldCheckIcon from 'lucide-react/icons/shield-check';
import TriangleAlertIcon from 'lucide-react/icons/triangle-alert';
import { Spinner } from '../controls/Spinner';
import type { Glyph as Name } from './status';

const icons = {
  check: CircleCheckIcon,
  shield: ShieldCheckIcon,
  stopped: CircleStopIcon,
  cross: CircleXIcon,
  warning: TriangleAlertIcon,
  question: CircleQuestionMarkIcon,
  dot: CircleIcon,
  archived: CircleMinusIcon,
};

/** A status icon, 1em. Icons differ in shape as well as color. */
export function Glyph({ name }: { name: Name }) {
  if (name === 'spinner') return <Spinner size="1em" />;
  if (name === 'shield-partial' || name === 'hatch' || name === 'info') {
    return (
      <svg
        width="1em"
        height="1em"
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.2"
        strokeLinejoin="round"
        aria-hidden
      >
        {name === 'info' ? (
          <>
            {/* Not a bare circle, which looks like an unchecked radio button. */}
            <rect x="3.5" y="3.5" width="17" height="17" rx="5.5" />
            <path d="M12 11.2v5M12 7.7v.1" strokeLinecap="round" />
          </>
        ) : name === 'hatch' ? (
          <>
            <rect x="3.5" y="3.5" width="17" height="17" rx="3" strokeDasharray="4 3" />
            <path d="m8 16 8-8M8 10l2-2m4 8 2-2" strokeLinecap="round" />
          </>
        ) : (
          <>
            <path d="M12 2.5 4 6v5.5c0 4.6 3.4 8.7 8 10 4.6-1.3 8-5.4 8-10V6Z" />
            <path d="M12 7.5v5m0 3.5v.1" strokeLinecap="round" />
          </>
        )}
      </svg>
    );
  }
  const Icon = icons[name];
  return <Icon fontSize="inherit" />;
}
