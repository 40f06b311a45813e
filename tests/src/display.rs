//! What reaches the window through its display: the button of the title bar, which no window manager draws at a desk,
//! and files that another program drags over it (the protocol XDND, version 5).

use std::path::Path;

use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    AtomEnum, ClientMessageEvent, ConnectionExt, CreateWindowAux, EventMask, MapState, PropMode,
    SELECTION_NOTIFY_EVENT, SelectionNotifyEvent, SelectionRequestEvent, Window as Id, WindowClass,
};
use x11rb::rust_connection::RustConnection;

use crate::until;
use crate::window::Window;

/// The display of a desk.
struct Display {
    x: RustConnection,
    root: Id,
}

impl Display {
    fn of(window: &Window) -> Self {
        let (x, screen) = x11rb::connect(Some(&window.desk().display())).expect("a display");
        let root = x.setup().roots[screen].root;
        Self { x, root }
    }

    fn atom(&self, name: &str) -> u32 {
        self.x.intern_atom(false, name.as_bytes()).expect("it is sent").reply().expect("an atom").atom
    }

    /// The program's window; `None` before it is there.
    fn window(&self) -> Option<Id> {
        let all = self.x.query_tree(self.root).ok()?.reply().ok()?.children;
        let name = self.atom("WM_NAME");
        all.into_iter().find(|id| {
            let named = self.x.get_property(false, *id, name, AtomEnum::ANY, 0, 64).ok();
            let is_shown = self.x.get_window_attributes(*id).ok().and_then(|one| one.reply().ok());
            named.and_then(|named| named.reply().ok()).is_some_and(|named| named.value == b"Proxytill")
                && is_shown.is_some_and(|shown| shown.map_state == MapState::VIEWABLE)
        })
    }

    /// Sends a message to a window, as another program would.
    fn send(&self, to: Id, kind: &str, data: [u32; 5]) {
        let message = ClientMessageEvent::new(32, to, self.atom(kind), data);
        self.x.send_event(false, to, EventMask::NO_EVENT, message).expect("it is sent");
        // A round trip: what is sent before a connection ends may be lost.
        self.x.get_input_focus().expect("it is sent").reply().expect("an answer");
    }
}

impl Window {
    /// Presses the button of the title bar that closes the window.
    pub async fn press_close_button(&self) {
        let display = Display::of(self);
        let id = until("the window is on screen", async || display.window()).await;
        display.send(id, "WM_PROTOCOLS", [display.atom("WM_DELETE_WINDOW"), 0, 0, 0, 0]);
    }
}

/// A file on its way over the window.
pub struct Dragged {
    display: Display,
    source: Id,
    target: Id,
    uri: String,
    /// Whether the window took it.
    accepted: bool,
    finished: bool,
}

impl Window {
    /// Drags a file over the window.
    pub async fn drag(&self, file: &Path) -> Dragged {
        let display = Display::of(self);
        let target = until("the window is on screen", async || display.window()).await;
        let x = &display.x;
        let source = x.generate_id().expect("an id");
        let settings = CreateWindowAux::new();
        x.create_window(0, source, display.root, 0, 0, 1, 1, 0, WindowClass::INPUT_ONLY, 0, &settings)
            .expect("a window");
        x.set_selection_owner(source, display.atom("XdndSelection"), x11rb::CURRENT_TIME).expect("it owns the file");
        let uri = format!("file://{}\r\n", file.display());
        let mut dragged = Dragged { display, source, target, uri, accepted: false, finished: false };
        let (list, copy) = (dragged.display.atom("text/uri-list"), dragged.display.atom("XdndActionCopy"));
        dragged.display.send(target, "XdndEnter", [source, 5 << 24, list, 0, 0]);
        until("the window takes what is dragged", async || {
            dragged.display.send(target, "XdndPosition", [source, 0, 300 << 16 | 300, x11rb::CURRENT_TIME, copy]);
            dragged.serve();
            dragged.accepted.then_some(())
        })
        .await;
        dragged
    }
}

impl Dragged {
    /// Drops the file.
    pub async fn drop_it(mut self) {
        self.display.send(self.target, "XdndDrop", [self.source, 0, x11rb::CURRENT_TIME, 0, 0]);
        until("the drop is finished", async || {
            self.serve();
            self.finished.then_some(())
        })
        .await;
    }

    /// Leaves the window with the file.
    pub fn leave(mut self) {
        self.display.send(self.target, "XdndLeave", [self.source, 0, 0, 0, 0]);
        self.serve();
    }

    /// Answers what the window asked since the last time.
    fn serve(&mut self) {
        while let Some(event) = self.display.x.poll_for_event().expect("a display") {
            match event {
                Event::SelectionRequest(asked) => self.hand_over(asked),
                Event::ClientMessage(told) if told.type_ == self.display.atom("XdndStatus") => {
                    self.accepted |= told.data.as_data32()[1] & 1 == 1;
                }
                Event::ClientMessage(told) if told.type_ == self.display.atom("XdndFinished") => self.finished = true,
                _ => {}
            }
        }
    }

    fn hand_over(
        &self,
        SelectionRequestEvent { time, requestor, selection, target, property, .. }: SelectionRequestEvent,
    ) {
        let x = &self.display.x;
        let data = self.uri.as_bytes();
        let length = u32::try_from(data.len()).expect("a short path");
        x.change_property(PropMode::REPLACE, requestor, property, target, 8, length, data).expect("it is written");
        let told = SelectionNotifyEvent {
            response_type: SELECTION_NOTIFY_EVENT,
            sequence: 0,
            time,
            requestor,
            selection,
            target,
            property,
        };
        x.send_event(false, requestor, EventMask::NO_EVENT, told).expect("it is sent");
        x.flush().expect("it is sent");
    }
}
