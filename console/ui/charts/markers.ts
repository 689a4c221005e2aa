import type { ChartFrame } from './chart';

/** A change that affects the chart's values. */
export interface ChartMarker {
  id: string;
  /** Milliseconds since 1970. */
  at: number;
  /** "Update to revision 3". */
  label: string;
  /** Selects the icon, like an event's: "update". */
  kind: string;
  failed: boolean;
}

export interface ChartMarkers {
  items: readonly ChartMarker[];
  /** Returns the address with details about these changes. */
  hrefOf: (items: readonly ChartMarker[]) => string;
}

export interface MarkerGroup {
  /** Time of its first marker. */
  at: number;
  markers: readonly ChartMarker[];
}

/** Markers inside the chart, oldest first. */
export const markersIn = (markers: readonly ChartMarker[], frame: ChartFrame): ChartMarker[] =>
  markers
    .filter(({ at }) => at >= frame.from && at < frame.from + frame.count * frame.step_ms)
    .sort((a, b) => a.at - b.at);

/** Groups markers (oldest first) so that groups start at least `apart_ms` from each other. */
export function groupMarkers(markers: readonly ChartMarker[], apart_ms: number): MarkerGroup[] {
  const groups: { at: number; markers: ChartMarker[] }[] = [];
  for (const marker of markers) {
    const last = groups.at(-1);
    if (last && marker.at - last.at < apart_ms) last.markers.push(marker);
    else groups.push({ at: marker.at, markers: [marker] });
  }
  return groups;
}

const NAMED = 5;

/** "Update", or "3 changes: Stop, Start, Update". */
export function groupLabel({ markers }: MarkerGroup): string {
  const [only] = markers;
  if (only && markers.length === 1) return only.label;
  const more = markers.length - NAMED;
  const names = markers.slice(0, NAMED).map(({ label }) => label);
  return `${markers.length} changes: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Describes the changes within one step. */
export function changesAt(
  markers: readonly ChartMarker[],
  index: number,
  { from, step_ms }: ChartFrame,
): string {
  const begin = from + index * step_ms;
  return markers
    .filter(({ at }) => at >= begin && at < begin + step_ms)
    .map(({ label }) => label)
    .join(', ');
}
