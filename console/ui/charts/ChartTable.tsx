import styled from '@emotion/styled';
import { useState } from 'react';
import { color, focusRing, radius, space, tabular, type } from '../theme';
import {
  isDaily,
  spanAt,
  stepExactly,
  stepTime,
  valueWords,
  type ChartFrame,
  type ChartLine,
  type ChartSpan,
} from './chart';
import { changesAt, type ChartMarker } from './markers';
import { formatValue, type ChartUnit } from './units';

const Details = styled('details')({
  marginTop: space(1),
  '& > summary': { ...type.small, color: color.muted, cursor: 'pointer', width: 'fit-content' },
  '& > summary:focus-visible': focusRing,
});
const Scroll = styled('div')({
  maxHeight: 280,
  overflow: 'auto',
  marginTop: space(2),
  border: `1px solid ${color.line}`,
  borderRadius: radius.control,
  '&:focus-visible': focusRing,
});
const Table = styled('table')({
  ...type.small,
  ...tabular,
  width: '100%',
  borderCollapse: 'collapse',
  '& th, & td': { padding: `${space(1)} ${space(3)}`, textAlign: 'right', whiteSpace: 'nowrap' },
  '& th:first-of-type': { textAlign: 'left', fontWeight: 'inherit' },
  '& thead th': { position: 'sticky', top: 0, backgroundColor: color.sunken, fontWeight: 550 },
  '& tbody tr + tr > *': { borderTop: `1px solid ${color.line}` },
});

interface Props {
  label: string;
  frame: ChartFrame;
  lines: readonly ChartLine[];
  unit: ChartUnit;
  gaps: readonly ChartSpan[];
  states: readonly ChartSpan[];
  /** Oldest first. */
  markers: readonly ChartMarker[];
}

/** The same values as a table, newest first; rendered when opened. */
export function ChartTable(props: Props) {
  const [open, setOpen] = useState(false);
  return (
    <Details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{props.label} as a table</summary>
      {open && <Values {...props} />}
    </Details>
  );
}

function Values({ label, frame, lines, unit, gaps, states, markers }: Props) {
  const peaks = lines.length === 1 ? lines[0]?.peaks : undefined;
  const compared = lines.filter(({ previous }) => previous);
  const daily = isDaily(frame);
  const steps = Array.from({ length: frame.count }, (_, i) => frame.count - 1 - i);
  return (
    <Scroll role="region" aria-label={`${label}, values`} tabIndex={0}>
      <Table>
        <thead>
          <tr>
            <th scope="col">{daily ? 'Day (UTC)' : 'From'}</th>
            {lines.map((line) => (
              <th key={line.id} scope="col">
                {lines.length === 1 ? (daily ? 'Total' : 'Average') : line.name}
              </th>
            ))}
            {peaks && <th scope="col">Highest</th>}
            {compared.map((line) => (
              <th key={line.id} scope="col">
                {lines.length === 1 ? 'Previous period' : `${line.name}, previous period`}
              </th>
            ))}
            {!daily && <th scope="col">State</th>}
            {markers.length > 0 && <th scope="col">Changes</th>}
          </tr>
        </thead>
        <tbody>
          {steps.map((i) => (
            <tr key={i}>
              <th scope="row" title={stepExactly(i, frame)}>
                {stepTime(i, frame)}
              </th>
              {lines.map((line) => (
                <td key={line.id}>{valueWords(line, i, frame, unit)}</td>
              ))}
              {peaks && <td>{formatValue(peaks[i] ?? null, unit)}</td>}
              {compared.map((line) => (
                <td key={line.id}>{formatValue(line.previous?.[i] ?? null, unit)}</td>
              ))}
              {!daily && <td>{(spanAt(gaps, i, frame) ?? spanAt(states, i, frame))?.label ?? ''}</td>}
              {markers.length > 0 && <td>{changesAt(markers, i, frame)}</td>}
            </tr>
          ))}
        </tbody>
      </Table>
    </Scroll>
  );
}
