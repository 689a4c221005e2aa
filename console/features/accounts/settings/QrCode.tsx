import styled from '@emotion/styled';
import { useMemo } from 'react';
import { encode } from 'uqr';
import { radius } from '../../../ui/theme';

// Dark on light in both color schemes: many scanners can't read inverted codes.
const Svg = styled('svg')({
  flex: 'none',
  width: 176,
  height: 176,
  background: '#fff',
  borderRadius: radius.panel,
});

const QUIET = 4; // modules of quiet zone, ISO/IEC 18004 §9.1

/** Renders a QR code in the browser, so the secret never leaves the page. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => {
    const { size, data } = encode(text, { ecc: 'M', border: QUIET });
    const path = data
      .flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])))
      .join('');
    return { size, path };
  }, [text]);
  return (
    <Svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <path d={path} fill="#000" />
    </Svg>
  );
}
