import { createContext, use, useEffect, useMemo, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import type { Crumb } from '../../console/ui/layout/frameData';

/** What a page passes to the frame around it. */
interface Slots {
  crumbs: readonly Crumb[];
  setCrumbs: (crumbs: readonly Crumb[]) => void;
  /** Where asides render: the right column or, on small screens, the open sheet. */
  place: HTMLElement | null;
  setPlace: (place: HTMLElement | null) => void;
  /** Number of asides on the page. */
  asides: number;
  countAside: (by: 1 | -1) => void;
  /** Number of spare asides, shown only if there is no other. */
  spares: number;
  countSpare: (by: 1 | -1) => void;
}

const SlotsContext = createContext<Slots | null>(null);

export function SlotsProvider({ children }: { children: ReactNode }) {
  const [crumbs, setCrumbs] = useState<readonly Crumb[]>([]);
  const [place, setPlace] = useState<HTMLElement | null>(null);
  const [asides, setAsides] = useState(0);
  const [spares, setSpares] = useState(0);
  const slots = useMemo(
    () => ({
      crumbs,
      setCrumbs,
      place,
      setPlace,
      asides,
      countAside: (by: 1 | -1) => setAsides((before) => before + by),
      spares,
      countSpare: (by: 1 | -1) => setSpares((before) => before + by),
    }),
    [crumbs, place, asides, spares],
  );
  return <SlotsContext value={slots}>{children}</SlotsContext>;
}

export function useSlots(): Slots {
  const slots = use(SlotsContext);
  if (!slots) throw new Error('useSlots outside of SlotsProvider');
  return slots;
}

/** Sets the breadcrumbs, this page last; they also form the document title. */
export function useCrumbs(crumbs: readonly Crumb[]): void {
  const { setCrumbs } = useSlots();
  const text = JSON.stringify(crumbs);
  useEffect(() => setCrumbs(JSON.parse(text) as Crumb[]), [text, setCrumbs]);
}

/** Renders context beside the page; a `spare` aside only if the page has no other. */
export function Aside({ children, spare = false }: { children: ReactNode; spare?: boolean }) {
  const { place, asides, countAside, countSpare } = useSlots();
  const counting = spare ? countSpare : countAside;
  useEffect(() => {
    counting(1);
    return () => counting(-1);
    // The counters use functional updates, so a stale reference is harmless.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [spare]);
  return place && !(spare && asides > 0) ? createPortal(children, place) : null;
}

export function AsidePlace() {
  const { setPlace } = useSlots();
  return <div ref={setPlace} />;
}
