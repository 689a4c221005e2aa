import styled from '@emotion/styled';
import {
  createContext,
  createElement,
  use,
  type ComponentPropsWithRef,
  type ComponentType,
  type ReactNode,
} from 'react';
import { color, radius } from './theme';

/** Props of every link in this folder. `LinkProvider` adapts them to the app's router link. */
export interface LinkProps extends Omit<ComponentPropsWithRef<'a'>, 'href'> {
  href: string;
}

const Plain = (props: LinkProps) => <a {...props} />;
const LinkContext = createContext<ComponentType<LinkProps>>(Plain);

export function LinkProvider({
  component,
  children,
}: {
  component: ComponentType<LinkProps>;
  children: ReactNode;
}) {
  return <LinkContext value={component}>{children}</LinkContext>;
}

const isExternal = (href: string) => /^[a-z][a-z0-9+.-]*:/i.test(href) || href.startsWith('//');

/** An unstyled link: uses the router inside the app, and a plain anchor without referrer outside. */
export function Link(props: LinkProps) {
  const inner = use(LinkContext);
  if (isExternal(props.href)) return <a rel="noopener noreferrer" {...props} />;
  return createElement(inner, props);
}

/** A link in running text. */
export const TextLink = styled(Link)({
  color: color.accentText,
  textDecoration: 'underline',
  textDecorationColor: `color-mix(in srgb, ${color.accentText} 40%, transparent)`,
  textUnderlineOffset: '3px',
  borderRadius: radius.small,
  '&:hover': { textDecorationColor: 'currentColor' },
});
