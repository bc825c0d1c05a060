/** How the front page looks: its stylesheet and the mark, as they are served. */

/** Only the tokens hold colours; each has one for light and one for dark. */
export const stylesheet = `@layer tokens, base, layout, parts;

@layer tokens {
  :root {
    color-scheme: light dark;
    --canvas: light-dark(#f6f6f8, #0e1014);
    --surface: light-dark(#ffffff, #16181e);
    --line: light-dark(#e3e5ea, #2a2e38);
    --ink: light-dark(#15171e, #eef0f4);
    --ink-2: light-dark(#4a5160, #b6bdca);
    --accent: light-dark(#3d4fd6, #5668ec);
    --accent-hover: light-dark(#3040b4, #4a5ce0);
    --accent-ink: light-dark(#3242bb, #a9b4ff);
    --on-accent: #ffffff;
    --ok: light-dark(#0b6b46, #6fdcaa);
    --ok-soft: light-dark(#e2f4eb, #12322a);
    --danger: light-dark(#b3261e, #ff9d92);
    --danger-soft: light-dark(#fdeceb, #421d1b);
  }
}

@layer base {
  *, ::before, ::after { box-sizing: border-box; margin: 0; }
  body {
    min-height: 100svh;
    background: var(--canvas);
    color: var(--ink);
    font: 0.9375rem/1.5 Inter, system-ui, sans-serif;
  }
  h1 { font-size: 1.375rem; font-weight: 620; line-height: 1.25; letter-spacing: -0.018em; }
  a { color: var(--accent-ink); }
  :focus-visible { outline: 2px solid var(--accent-ink); outline-offset: 2px; }
}

@layer layout {
  body { display: grid; place-items: start center; padding: 24px 16px; }
  main {
    display: grid;
    gap: 24px;
    width: 100%;
    max-width: 28rem;
    padding: 24px;
    background: var(--surface);
    border: 1px solid var(--line);
    border-radius: 14px;
  }
  @media (width >= 40rem) {
    body { place-items: center; }
    main { padding: 32px; }
  }
}

@layer parts {
  header { display: flex; align-items: center; gap: 12px; }
  .lead, .version { color: var(--ink-2); }
  .version { font-size: 0.8125rem; font-variant-numeric: tabular-nums; }
  .notice { padding: 12px 16px; border-radius: 8px; background: var(--ok-soft); color: var(--ok); }
  .notice.danger { background: var(--danger-soft); color: var(--danger); }
  .notice strong { display: block; font-weight: 620; }
  nav { display: flex; flex-wrap: wrap; align-items: center; gap: 12px 24px; }
  .button {
    display: inline-flex;
    align-items: center;
    min-height: 40px;
    padding: 0 16px;
    border-radius: 8px;
    background: var(--accent);
    color: var(--on-accent);
    font-weight: 560;
    text-decoration: none;
  }
  .button:hover { background: var(--accent-hover); }
  @media (pointer: coarse) {
    .button { min-height: 44px; }
    nav a:not(.button) { padding: 12px 0; }
  }
}
`;

/** An open ring with a dot: a c, and a person. */
export const mark = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 28 28" width="28" height="28">
  <rect width="28" height="28" rx="8" fill="#3d4fd6"/>
  <path d="M18.6 9.4a6.5 6.5 0 1 0 0 9.2" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round"/>
  <circle cx="14" cy="14" r="2.2" fill="#fff"/>
</svg>
`;
