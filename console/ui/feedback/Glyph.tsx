import CancelRounded from '@mui/icons-material/CancelRounded';
import CheckCircleRounded from '@mui/icons-material/CheckCircleRounded';
import FiberManualRecordOutlined from '@mui/icons-material/FiberManualRecordOutlined';
import HelpOutlineRounded from '@mui/icons-material/HelpOutlineRounded';
import RemoveCircleOutlineRounded from '@mui/icons-material/RemoveCircleOutlineRounded';
import StopCircleOutlined from '@mui/icons-material/StopCircleOutlined';
import VerifiedUserRounded from '@mui/icons-material/VerifiedUserRounded';
import WarningRounded from '@mui/icons-material/WarningRounded';
import { Spinner } from '../controls/Spinner';
import type { Glyph as Name } from './status';

const icons = {
  check: CheckCircleRounded,
  shield: VerifiedUserRounded,
  stopped: StopCircleOutlined,
  cross: CancelRounded,
  warning: WarningRounded,
  question: HelpOutlineRounded,
  dot: FiberManualRecordOutlined,
  archived: RemoveCircleOutlineRounded,
};

/** The icon of a status, 1em. Shapes differ as well as colours. */
export function Glyph({ name }: { name: Name }) {
  if (name === 'spinner') return <Spinner size="1em" />;
  if (name === 'shield-partial' || name === 'hatch') {
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
        {name === 'hatch' ? (
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
