import { keyframes } from '@emotion/react';
import XIcon from 'lucide-react/icons/x';
import styled from '@emotion/styled';
import { createContext, use, useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { IconAction } from '../controls/IconAction';
import { TextLink } from '../link';
import { below, color, motion, radius, shadow, space, type } from '../theme';
import { Glyph } from './Glyph';
import { toneText } from './ToneChip';
import { withToast, type ShownToast, type Toast } from './toastList';

const lifeMs = 6000;
/** Pixels. */
const BELOW_HEADER = 56;

const ToastContext = createContext<(toast: Toast) => void>(() => undefined);

/** Announces background results. Errors stay until dismissed. */
export const useToast = () => use(ToastContext);

const enter = keyframes({ from: { opacity: 0, transform: 'translateY(8px)' } });
const Region = styled('div')({
  position: 'fixed',
  zIndex: 1500,
  right: space(4),
  bottom: space(4),
  display: 'grid',
  gap: space(2),
  width: `min(380px, calc(100vw - ${space(8)}))`,
  // On phones, forms are filled in and submitted at the bottom of the screen.
  [below.phone]: { top: BELOW_HEADER, bottom: 'auto' },
});
const Card = styled('div')({
  display: 'grid',
  gridTemplateColumns: 'auto minmax(0, 1fr) auto',
  gap: space(2.5),
  padding: `${space(3)} ${space(2)} ${space(3)} ${space(3)}`,
  borderRadius: radius.panel,
  backgroundColor: color.raised,
  boxShadow: shadow.raised,
  animation: `${enter} ${motion.normal}`,
  overflowWrap: 'anywhere',
});
const Icon = styled('span')({ display: 'inline-flex', height: 20, alignItems: 'center', fontSize: 16 });
const Title = styled('p')({ ...type.body, fontWeight: 550 });
const Message = styled('p')({ ...type.small, color: color.muted });

const glyphs = {
  ok: 'check',
  attention: 'warning',
  error: 'cross',
  progress: 'spinner',
  simulated: 'hatch',
  neutral: 'info',
} as const;

export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<ShownToast[]>([]);
  const next = useRef(0);
  const show = useCallback((toast: Toast) => {
    next.current += 1;
    const key = next.current;
    setToasts((before) => withToast(before, toast, key));
  }, []);
  const drop = useCallback(
    (key: number) => setToasts((before) => before.filter((toast) => toast.key !== key)),
    [],
  );
  const list = useMemo(
    () => (
      // Always rendered: screen readers often skip a live region that is added together with its text.
      <Region role="status" aria-live="polite" aria-label="Notifications">
        {toasts.map((toast) => (
          <ToastCard key={toast.key} toast={toast} drop={drop} />
        ))}
      </Region>
    ),
    [toasts, drop],
  );
  return (
    <ToastContext value={show}>
      {children}
      {list}
    </ToastContext>
  );
}

function ToastCard({ toast, drop }: { toast: ShownToast; drop: (key: number) => void }) {
  const [held, setHeld] = useState(false);
  const stays = toast.tone === 'error';
  useEffect(() => {
    if (held || stays) return;
    const timer = setTimeout(() => drop(toast.key), lifeMs);
    return () => clearTimeout(timer);
  }, [held, stays, toast.key, drop]);
  const hold = () => setHeld(true);
  const release = () => setHeld(false);
  return (
    <Card onPointerEnter={hold} onPointerLeave={release} onFocus={hold} onBlur={release}>
      <Icon style={{ color: toneText(toast.tone) }}>
        <Glyph name={glyphs[toast.tone]} />
      </Icon>
      <div>
        <Title>{toast.title}</Title>
        {toast.message !== undefined && <Message>{toast.message}</Message>}
        {toast.link && <TextLink href={toast.link.href}>{toast.link.label}</TextLink>}
      </div>
      <IconAction size="small" label="Dismiss" onClick={() => drop(toast.key)}>
        <XIcon />
      </IconAction>
    </Card>
  );
}
