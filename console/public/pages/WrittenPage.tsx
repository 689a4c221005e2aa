import { Fragment } from 'react';
import type { Inline } from '../../lib/announcementText';
import type { PageBlock } from '../../lib/public/pageText';
import type { SitePage } from '../../lib/public/siteContent';
import site from '../site.module.css';
import written from '../written.module.css';

/** A page written by the operator, such as the terms. */
export function WrittenPage({ content: { title, blocks } }: { content: SitePage }) {
  return (
    <>
      <div className={site.hero}>
        <h1>{title}</h1>
      </div>
      <section className={site.section} aria-label={title}>
        <div className={`${site.prose} ${written.text}`}>
          {blocks.map((block, index) => (
            <Block key={index} block={block} />
          ))}
        </div>
      </section>
    </>
  );
}

function Block({ block }: { block: PageBlock }) {
  switch (block.kind) {
    case 'heading': {
      const Heading = block.level === 2 ? 'h2' : 'h3';
      return (
        <Heading>
          <Line parts={block.parts} />
        </Heading>
      );
    }
    case 'paragraph':
      return (
        <p>
          {block.lines.map((line, index) => (
            <Fragment key={index}>
              {index > 0 && <br />}
              <Line parts={line} />
            </Fragment>
          ))}
        </p>
      );
    case 'list': {
      const items = block.items.map((item, index) => (
        <li key={index}>
          <Line parts={item} />
        </li>
      ));
      return block.start === null ? <ul>{items}</ul> : <ol start={block.start}>{items}</ol>;
    }
  }
}

function Line({ parts }: { parts: readonly Inline[] }) {
  return parts.map((part, index) => {
    switch (part.kind) {
      case 'strong':
        return <strong key={index}>{part.text}</strong>;
      case 'code':
        return <code key={index}>{part.text}</code>;
      case 'link':
        return (
          <a key={index} href={part.href}>
            {part.text}
          </a>
        );
      default:
        return <Fragment key={index}>{part.text}</Fragment>;
    }
  });
}
