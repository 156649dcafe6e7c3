/**
 * The only script that stands in a page: it fetches the program once the first view is painted, or at the
 * first sign of use. Pictures and letters then have the line to themselves, and until the program is there
 * every link, form and button works by itself. Its text is the same in every page of a build, and allowed by
 * its hash.
 */
export function loadScript(address: string): string {
  return `(()=>{const s=["pointerdown","keydown","focusin","touchstart"];let f=0;const g=()=>{if(f)return;f=1;for(const e of s)removeEventListener(e,g,true);import(${JSON.stringify(address)})};for(const e of s)addEventListener(e,g,{capture:true,passive:true});const p=()=>requestAnimationFrame(()=>setTimeout(g));document.readyState==="complete"?p():addEventListener("load",p,{once:true})})()`
}
