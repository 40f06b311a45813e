//! The types that read and write the tables, each in the file of its name. The steps of an operation and of a bulk that
//! write several tables at once are the journal's own: `operation/commit.rs` and `bulk_steps.rs`.

use crate::journal::Journal;
use crate::journal::activity::ActivityList;
use crate::journal::bulk::BulkTable;
use crate::journal::bulk_row::BulkRowTable;
use crate::journal::event::EventTable;
use crate::journal::goods::GoodsTables;
use crate::journal::lesson::LessonTable;
use crate::journal::note::NoteTable;
use crate::journal::operation::OperationTable;
use crate::journal::order_note::OrderNoteTable;
use crate::journal::order_seen::OrderSeenTable;
use crate::journal::restoration::RestorationTable;
use crate::journal::template::TemplateTable;
use crate::journal::wallet::WalletTable;

impl Journal {
    /// The table `operation`.
    pub fn operations(&self) -> OperationTable<'_> {
        OperationTable(self)
    }

    /// The table `event`.
    pub fn events(&self) -> EventTable<'_> {
        EventTable(self)
    }

    pub(crate) fn bulks(&self) -> BulkTable<'_> {
        BulkTable(self)
    }

    pub(crate) fn bulk_rows(&self) -> BulkRowTable<'_> {
        BulkRowTable(self)
    }

    pub(crate) fn lessons(&self) -> LessonTable<'_> {
        LessonTable(self)
    }

    pub(crate) fn notes(&self) -> NoteTable<'_> {
        NoteTable(self)
    }

    pub(crate) fn templates(&self) -> TemplateTable<'_> {
        TemplateTable(self)
    }

    pub(crate) fn order_notes(&self) -> OrderNoteTable<'_> {
        OrderNoteTable(self)
    }

    pub(crate) fn orders_seen(&self) -> OrderSeenTable<'_> {
        OrderSeenTable(self)
    }

    pub(crate) fn goods(&self) -> GoodsTables<'_> {
        GoodsTables(self)
    }

    pub(crate) fn wallet(&self) -> WalletTable<'_> {
        WalletTable(self)
    }

    pub(crate) fn restorations(&self) -> RestorationTable<'_> {
        RestorationTable(self)
    }

    pub(crate) fn activity(&self) -> ActivityList<'_> {
        ActivityList(self)
    }
}
