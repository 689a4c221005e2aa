import { createContext, use, useEffect, useMemo, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import type { Crumb } from '../../console/ui/layout/frameData';

/** What a page gives to the frame around it. Beginning with the area itself, which every page has. */
interface Slots {
  crumbs: readonly Crumb[];
  setCrumbs: (crumbs: readonly Crumb[]) => void;
  /** Where asides appear: in the right column or, on small screens, in the open sheet. */
  place: HTMLElement | null;
  setPlace: (place: HTMLElement | null) => void;
  /** How many asides the page shows now. */
  asides: number;
  countAside: (by: 1 | -1) => void;
  /** Asides that give way to any other. */
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

/** The steps to this page, the page itself last; they are the document's title too. */
export function useCrumbs(crumbs: readonly Crumb[]): void {
  const { setCrumbs } = useSlots();
  const text = JSON.stringify(crumbs);
  useEffect(() => setCrumbs(JSON.parse(text) as Crumb[]), [text, setCrumbs]);
}

/** Context of what is open, shown beside the page; `spare`: only where the page shows no other. */
export function Aside({ children, spare = false }: { children: ReactNode; spare?: boolean }) {
  const { place, asides, countAside, countSpare } = useSlots();
  const counting = spare ? countSpare : countAside;
  useEffect(() => {
    counting(1);
    return () => counting(-1);
    // The counters only add: which rendering they are of makes no difference.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [spare]);
  return place && !(spare && asides > 0) ? createPortal(children, place) : null;
}

export function AsidePlace() {
  const { setPlace } = useSlots();
  return <div ref={setPlace} />;
}
