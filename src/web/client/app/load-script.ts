import { READY_EVENT } from './ready-event.ts'

/** Id of the style element that waits with the faces of the letters. */
export const LETTERS_ELEMENT = 'letters'

/** Once letters have come in a session they are in the browser's cache, and need not wait any more. */
const KEPT = 'atelier.letters'

/** On a button that was pressed before the program was there. */
const PRESSED = 'data-pressed'

/**
 * The only script that stands in a page. Its text is the same in every page of a build, and allowed by its hash.
 * - The letters are asked for once the first view is painted (Paint Timing) in the ones that stand in for them,
 *   which are as wide: on a slow line they would hold up the name and the first picture by half a second.
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

const letters = `const l=document.getElementById("${LETTERS_ELEMENT}"),h=()=>{if(l)l.media="all";try{sessionStorage["${KEPT}"]=1}catch{}};let k;try{k=sessionStorage["${KEPT}"]}catch{}if(k)h();else new PerformanceObserver((p,o)=>{if(p.getEntriesByName("first-contentful-paint").length){o.disconnect();h()}}).observe({type:"paint",buffered:true})`

const early = `let b=null;const x=t=>{b?.removeAttribute("${PRESSED}");b=t;b?.setAttribute("${PRESSED}","")},c=e=>x(e.target instanceof Element?e.target.closest("button[type=button]"):null),d=e=>{if(b&&!b.contains(e.target))x(null)};addEventListener("click",c,true);addEventListener("keydown",d,true);const w=()=>{removeEventListener("click",c,true);removeEventListener("keydown",d,true);const t=b;x(null);setTimeout(()=>{if(t?.isConnected)t.click()})};addEventListener("${READY_EVENT}",w,{once:true})`

const program = (modules: readonly string[]): string =>
  `const m=${JSON.stringify(modules)},s=["pointerdown","keydown","focusin","touchstart"];let f=0;const o=()=>{for(const e of s)addEventListener(e,g,{capture:true,passive:true})},g=async()=>{if(f)return;f=1;h();for(const e of s)removeEventListener(e,g,true);for(const a of m){const p=document.createElement("link");p.rel="modulepreload";p.href=a;document.head.append(p)}try{let n;for(const a of m){if(n)await new Promise(r=>setTimeout(r));n=await import(a)}}catch(e){console.warn(e);f=0;o()}};o();const p=()=>requestAnimationFrame(()=>setTimeout(g));document.readyState==="complete"?p():addEventListener("load",p,{once:true})`
