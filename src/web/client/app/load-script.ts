import { READY_EVENT } from './ready-event.ts'

/** Id of the style element that waits with the faces of the letters. */
export const LETTERS_ELEMENT = 'letters'

/**
 * Once letters have come in a session they are in the browser's cache, and need not wait any more: `1`, or `0` where
 * nothing as wide stands in for them.
 */
const KEPT = 'atelier.letters'

/** On a button that was pressed before the program was there. */
const PRESSED = 'data-pressed'

/** On `html` once the program could not be fetched; gone when it has come (`admin-page.module.css`). */
const MISSED = 'data-missed'

/**
 * The only script that stands in a page. Its text is the same in every page of a build, and allowed by its hash.
 * - The letters are asked for once the first view is painted (Paint Timing) in the ones that stand in for them,
 *   which are as wide: on a slow line they would hold up the name and the first picture by half a second. Where
 *   none of those is on the machine (`fallback-fonts.css`), letters that come late would push the page about:
 *   then they are shown only if they are there at the first paint, which on a next page they are. Not so those of
 *   Devanagari: a machine without them draws boxes, and words that can be read matter more than places that stand.
 * - The program is fetched when everything of the first view is there, or at the first sign of use; until then
 *   every link and form works by itself. Its modules are fetched together and run one by one, so that a slow
 *   phone can answer in between.
 * - A button that only the program can answer keeps its press, and is pressed when the program is there, unless the
 *   visitor has turned to something else meanwhile.
 * - A program that could not be fetched is asked for again at the next sign of use.
 * @param modules addresses, each after those it imports
 */
export function loadScript(modules: readonly string[]): string {
  return `(()=>{${[letters, early, program(modules)].join(';')}})()`
}

const letters = `const l=document.getElementById("${LETTERS_ELEMENT}"),q=document.fonts,h=y=>{if(!l||l.media==="all")return;l.media="all";if(y!=="1")q.forEach(f=>{if(!/Eczar/.test(f.family))f.display="optional"});try{sessionStorage["${KEPT}"]=y}catch{}},z=()=>Promise.all([...q].filter(f=>/Fallback/.test(f.family)&&f.style==="normal"&&f.weight.startsWith("400")).map(f=>f.load().catch(()=>0))).then(()=>{const t=[...q].filter(f=>f.status==="loaded").map(f=>f.family).join();h(/Newsreader/.test(t)&&/Anek/.test(t)?"1":"0")});let k;try{k=sessionStorage["${KEPT}"]}catch{}if(k)h(k);else new PerformanceObserver((p,o)=>{if(p.getEntriesByName("first-contentful-paint").length){o.disconnect();z()}}).observe({type:"paint",buffered:true})`

const early = `let b=null;const x=t=>{b?.removeAttribute("${PRESSED}");b=t;b?.setAttribute("${PRESSED}","")},c=e=>x(e.target instanceof Element?e.target.closest("button[type=button]"):null),d=e=>{if(b&&!b.contains(e.target))x(null)};addEventListener("click",c,true);addEventListener("keydown",d,true);const w=()=>{removeEventListener("click",c,true);removeEventListener("keydown",d,true);const t=b;x(null);setTimeout(()=>{if(t?.isConnected)t.click()})};addEventListener("${READY_EVENT}",w,{once:true})`

const program = (modules: readonly string[]): string =>
  `const r=document.documentElement,m=${JSON.stringify(modules)},s=["pointerdown","keydown","focusin","touchstart"];let f=0;const o=()=>{for(const e of s)addEventListener(e,g,{capture:true,passive:true})},g=async()=>{if(f)return;f=1;z();for(const e of s)removeEventListener(e,g,true);for(const a of m){const p=document.createElement("link");p.rel="modulepreload";p.href=a;document.head.append(p)}try{let n;for(const a of m){if(n)await new Promise(r=>setTimeout(r));n=await import(a)}r.removeAttribute("${MISSED}")}catch(e){console.warn(e);r.setAttribute("${MISSED}","");f=0;o()}};o();const p=()=>requestAnimationFrame(()=>setTimeout(g));document.readyState==="complete"?p():addEventListener("load",p,{once:true})`
